import type { Log } from '@ostiary/identity/serving'

const LEVELS = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof LEVELS)[number]

export interface LogOptions {
  readonly level: Level | 'silent'
  /** `text` is for a terminal. */
  readonly format: 'json' | 'text'
  /** The line includes its line end. */
  readonly write: (line: string, level: Level) => void
}

/**
 * Callers must not log bodies, headers or queries. As a second line of defense, masks fields whose
 * names suggest a secret.
 */
export function createLog({ level, format, write }: LogOptions): Log {
  const from = level === 'silent' ? LEVELS.length : LEVELS.indexOf(level)
  const lineOf = format === 'json' ? jsonLine : textLine
  const writer = (lineLevel: Level) => {
    if (LEVELS.indexOf(lineLevel) < from) return () => {}
    return (fields: object, message: string) => {
      const text = isFlat(fields) ? JSON.stringify(fields) : JSON.stringify(fields, masked())
      write(lineOf(lineLevel, text, message), lineLevel)
    }
  }
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') }
}

const SECRET =
  /^(password|code|token|.*_token|jwt|cookie|set-cookie|authorization|headers|body|secrets?|email|recipient)$/i

/** Whether nothing needs masking, as in the line of each request. A replacer is several times slower. */
function isFlat(fields: object): boolean {
  for (const name in fields) {
    const value: unknown = fields[name as keyof typeof fields]
    if ((typeof value === 'object' && value !== null) || typeof value === 'bigint' || SECRET.test(name))
      return false
  }
  return true
}

/** Masks secrets, serializes errors and breaks cycles. */
function masked(): (name: string, value: unknown) => unknown {
  const seen = new Set<object>()
  return (name, value) => {
    if (SECRET.test(name)) return '[hidden]'
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return value
    if (seen.has(value)) return '[seen above]'
    seen.add(value)
    return value instanceof Error ? readable(value) : value
  }
}

function readable(error: Error): object {
  const { name: type, message, stack, cause } = error
  const code = 'code' in error ? { error_code: error.code } : {}
  return { type, message, ...code, stack, ...(cause === undefined ? {} : { cause }) }
}

function jsonLine(level: Level, fields: string, message: string): string {
  const time = new Date().toISOString()
  const start = `{"level":"${level}","time":"${time}","message":${JSON.stringify(message)}`
  return fields === '{}' ? `${start}}\n` : `${start},${fields.slice(1)}\n`
}

/** Escapes control characters, which could act on the terminal. */
function textLine(level: Level, fields: string, message: string): string {
  const time = new Date().toTimeString().slice(0, 8)
  const label = level === 'info' ? '' : `${level}: `
  const rest = fields === '{}' ? '' : `  ${fields}`
  return `${time} ${label}${JSON.stringify(message).slice(1, -1)}${rest}\n`
}

/** A SIGKILL can lose this much of the log. */
const LONGEST_WAIT_MS = 10

/** Longer output is written without waiting. */
const LONGEST_TEXT = 16 * 1024

/** Processes sharing a pipe do not mix this many bytes (PIPE_BUF). */
const LONGEST_SHARED_TEXT = 4096

/**
 * Writes in batches, because a write for each line would take a tenth of a session look-up. Writes errors,
 * and the lines before them, at once.
 */
export function gatheredOutput({ shared = false } = {}): LogOptions['write'] {
  let gathered = ''
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (gathered === '') return
    const text = gathered
    gathered = ''
    process.stdout.write(text)
  }
  process.on('exit', flush)
  return (line, level) => {
    if (shared && Buffer.byteLength(gathered) + Buffer.byteLength(line) > LONGEST_SHARED_TEXT) flush()
    gathered += line
    if (level === 'error' || gathered.length >= LONGEST_TEXT) flush()
    else timer ??= setTimeout(flush, LONGEST_WAIT_MS).unref()
  }
}

/** Survives a reader that ends first, such as `… | head` or a log shipper, and a full disk. Later lines appear again. */
export function outliveReader(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
