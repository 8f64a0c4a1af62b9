import type { Log } from '@ostiary/identity-server/process'
import type { OwnMetrics } from '../src/product/register.ts'

export const quietMetrics = { add() {}, observe() {}, measure() {} } as object as OwnMetrics

export interface LogLine {
  readonly level: string
  readonly fields: object
  readonly message: string
}

export function keepLog(): Log & { lines: LogLine[] } {
  const lines: LogLine[] = []
  const keep = (level: string) => (fields: object, message?: string) => {
    lines.push({ level, fields, message: message ?? '' })
  }
  const log = { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') } as Log
  return Object.assign(log, { lines })
}
