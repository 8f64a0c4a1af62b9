import { useHydrated } from './use-hydrated.ts'

/** A moment as people say it; exactly, in their locale, on hover and focus. */
export function Time({ of }: { of: Date }) {
  const hydrated = useHydrated()
  const exact = hydrated ? exactly.format(of) : undefined
  return (
    <time dateTime={of.toISOString()} title={exact} className="tabular-nums">
      {hydrated ? relativeTime(of, new Date()) : ''}
    </time>
  )
}

const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** "5 minutes ago", "yesterday", and a date for what is longer ago than a month. */
function relativeTime(moment: Date, now: Date): string {
  const ago = moment.getTime() - now.getTime()
  const size = Math.abs(ago)
  if (size < MINUTE) return relative.format(0, 'second')
  if (size < HOUR) return relative.format(Math.trunc(ago / MINUTE), 'minute')
  if (size < DAY) return relative.format(Math.trunc(ago / HOUR), 'hour')
  if (size < 30 * DAY) return relative.format(Math.trunc(ago / DAY), 'day')
  return day.format(moment)
}
