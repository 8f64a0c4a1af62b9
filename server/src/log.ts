import type { DestinationStream, Logger } from 'pino'
import { pino, stdTimeFunctions } from 'pino'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/**
 * JSON lines, or readable ones on a terminal. Callers log named fields only: no bodies, no headers,
 * no query; the redaction is a second wall for fields that should not be there.
 */
export async function createLog(level: string, terminal: boolean): Promise<Log> {
  return createLogTo(terminal ? await prettyStream() : undefined, level)
}

export function createLogTo(stream: DestinationStream | undefined, level: string): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    redact: ['password', 'code', 'token', 'cookie', 'authorization', 'headers', 'body', 'secrets'],
  }
  return stream ? pino(options, stream) : pino(options)
}

async function prettyStream(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty')
  return pretty({ sync: true, translateTime: 'HH:MM:ss', singleLine: true, ignore: 'request_id' })
}
