/** Milliseconds by which the browser's clock is ahead of the server's. */
let browserLeadMs = 0

/** Reads the server's time from the `Date` header of a response (RFC 9110 §6.6.1). */
export function learnServerTime({ headers }: { readonly headers: Headers }): void {
  const time = Date.parse(headers.get('Date') ?? '')
  if (!Number.isNaN(time)) browserLeadMs = Date.now() - time
}

/** For comparisons with the server's times, because the browser's clock may be wrong. */
export function serverNow(): number {
  return Date.now() - browserLeadMs
}
