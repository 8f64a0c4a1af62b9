export interface RateLimit {
  /** Seconds until the next call is allowed. */
  waitSeconds(now: Date): number
  /** Infinite without a window. */
  remaining(now: Date): number
  /** In milliseconds since 1970; 0 without a window. */
  windowEnds(now: Date): number
  /** Returns whether the response was rejected because of the limits. */
  recordResponse(response: Response, body: string, now: Date): boolean
}

const secondaryRestMs = 60_000
// Windows are an hour; more is a wrong clock.
const longestRestMs = 2 * 3_600_000

/** https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api */
export function createRateLimit(): RateLimit {
  let closedUntil = 0
  let left = Number.POSITIVE_INFINITY
  let windowEnds = 0

  function closeUntil(time: number, now: Date): void {
    closedUntil = Math.max(closedUntil, Math.min(time, now.getTime() + longestRestMs))
  }

  return {
    waitSeconds: (now) => Math.max(0, Math.ceil((closedUntil - now.getTime()) / 1000)),
    remaining: (now) => (now.getTime() < windowEnds ? left : Number.POSITIVE_INFINITY),
    windowEnds: (now) => (now.getTime() < windowEnds ? windowEnds : 0),
    recordResponse(response, body, now) {
      const window = readWindow(response.headers)
      if (window) {
        left = window.remaining
        windowEnds = window.resets
        if (window.remaining === 0) closeUntil(window.resets, now)
      }
      if (!isLimited(response, window, body)) return false
      const retryAt = retryTime(response.headers, now)
      if (retryAt !== undefined) closeUntil(retryAt, now)
      else if (window?.remaining !== 0) closeUntil(now.getTime() + secondaryRestMs, now)
      return true
    },
  }
}

type Window = ReturnType<typeof readWindow>

/** Other 403s concern one repository (too large, blocked). */
function isLimited(response: Response, window: Window, body: string): boolean {
  if (response.status === 429) return true
  if (response.status !== 403) return false
  return window?.remaining === 0 || response.headers.has('retry-after') || /rate limit|abuse/i.test(body)
}

function readWindow(headers: Headers) {
  const remaining = readNumber(headers.get('x-ratelimit-remaining'))
  const seconds = readNumber(headers.get('x-ratelimit-reset'))
  if (remaining === undefined || seconds === undefined) return undefined
  return { remaining, resets: seconds * 1000 }
}

function retryTime(headers: Headers, now: Date): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const seconds = readNumber(value)
  if (seconds !== undefined) return now.getTime() + seconds * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : date
}

function readNumber(value: string | null): number | undefined {
  return value !== null && /^\d{1,12}$/.test(value) ? Number(value) : undefined
}
