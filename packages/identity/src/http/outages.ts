import type { Context } from '../contract/contract.ts'

const MINUTE_MS = 60_000
/** Reasons are few; more of them would be a mistake that must not take memory. */
const MOST = 50

/** When each reason was last logged. */
const createTimes = () => new Map<string, number>()

/**
 * Logs why a request was answered with 503: each reason once a minute, because an outage refuses every request.
 * `fields` tells which request it was.
 */
export function logOutage({ log, now, once }: Context, error: unknown, fields: object): void {
  const reason = reasonOf(error)
  const times = once(createTimes)
  const time = now().getTime()
  const last = times.get(reason)
  if (last !== undefined && Math.abs(time - last) < MINUTE_MS) return
  if (times.size >= MOST) times.clear()
  times.set(reason, time)
  log.error({ ...fields, cause: reason }, 'requests are answered with 503')
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? causesOf(error.cause) : '') || causesOf(error)
}

/** Messages only: other properties of an error may contain a token. */
export function causesOf(cause: unknown): string {
  const own = cause instanceof Error ? cause.message : ''
  const deeper = cause instanceof Error && cause.cause !== undefined ? causesOf(cause.cause) : ''
  return [own, deeper].filter((text) => text !== '').join(': ')
}
