import type { Log } from '../contract/contract.ts'

const MINUTE_MS = 60_000

/** Logs the beginning and the end of an outage, and at most one outage a minute. */
export function createOutageLog(log: Log, { begin, end }: { readonly begin: string; readonly end: string }) {
  let since: number | undefined
  let lastLine = Number.NEGATIVE_INFINITY
  return {
    failed(fields: object): void {
      const now = performance.now()
      if (since !== undefined || now - lastLine < MINUTE_MS) return
      since = now
      lastLine = now
      log.warn(fields, begin)
    },
    answered(): void {
      if (since === undefined) return
      log.info({ seconds: Math.round((performance.now() - since) / 1000) }, end)
      since = undefined
    },
  }
}
