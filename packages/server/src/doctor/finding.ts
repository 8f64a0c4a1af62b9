import { StartError } from '../http/errors.ts'
import type { Product } from '../product/product.ts'
import type { Settings } from '../settings/env.ts'

export interface Finding {
  /** `broken`: the app or a part of it does not work. */
  readonly level: 'ok' | 'warning' | 'broken'
  /** One sentence without secrets. */
  readonly message: string
  readonly fix?: string
}

export interface Examination {
  readonly product: Product
  readonly settings: Settings
  /** Includes slow checks, such as every page of the database. */
  readonly deep: boolean
  readonly now: () => Date
}

export type Check = (examination: Examination) => Promise<readonly Finding[]>

export function ok(message: string): Finding {
  return { level: 'ok', message }
}

export function warning(message: string, fix: string): Finding {
  return { level: 'warning', message, fix }
}

export function broken(message: string, fix: string): Finding {
  return { level: 'broken', message, fix }
}

export function findingOf(level: 'warning' | 'broken', text: string): Finding {
  const [message = '', ...fix] = text.split(/(?<=\.) (?=[A-Z])/)
  return { level, message: withPeriod(message), fix: withPeriod(fix.join(' ')) }
}

function withPeriod(text: string): string {
  return text === '' || /[.?!]$/.test(text) ? text : `${text}.`
}

/** Returns a `StartError` that the call throws. */
export function attempt<T>(run: () => T): T | StartError {
  try {
    return run()
  } catch (error) {
    if (error instanceof StartError) return error
    throw error
  }
}

const PATIENCE_MS = 5000

/** Longer differences break authenticator apps and token signatures. */
const CLOCK_SKEW_MS = 30_000

/** @param clock the other side's, to a second */
export function compareClocks(whose: string, clock: Date | undefined, now: Date): Finding[] {
  if (!clock || Number.isNaN(clock.getTime())) return []
  const skew = Math.round((now.getTime() - clock.getTime()) / 1000)
  if (Math.abs(skew) * 1000 <= CLOCK_SKEW_MS) return []
  const difference = `${Math.abs(skew)} seconds ${skew > 0 ? 'ahead of' : 'behind'}`
  return [broken(`The clock of this machine is ${difference} that of ${whose}.`, 'timedatectl set-ntp true')]
}

export function dateOf(response: Response): Date | undefined {
  const date = response.headers.get('date')
  return date === null ? undefined : new Date(date)
}

/** `fetch` hides the reason in its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${PATIENCE_MS / 1000} seconds`
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return error.message || String((error as NodeJS.ErrnoException).code)
}

export async function probeUrl(url: URL, request: RequestInit = {}): Promise<Response | Error> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const headers = { accept: 'application/json' }
  return await fetch(url, { headers, redirect: 'manual', signal, ...request }).catch(
    (error: unknown) => new Error(reasonOf(error)),
  )
}

/** The message and the fix. */
export function noAnswer(service: string, error: Error, fix: string): [string, string] {
  const reason = reasonOf(error)
  if (!/certificate/i.test(reason)) return [`${service} does not answer (${reason}).`, fix]
  return [
    `This machine does not trust the certificate of ${service} (${reason}).`,
    'Renew the certificate, or name the file of its CA in NODE_EXTRA_CA_CERTS.',
  ]
}
