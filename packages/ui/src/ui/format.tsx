import { serverNow } from '@ostiary/react/internal'
import { layoutTexts } from '../texts/layout.ts'
import { useHydrated } from './browser.ts'
import { formatDay, locale, once } from './locale.ts'

interface TimeProps {
  of: string
  words?: string
  /** A button or link around it takes the focus. */
  inControl?: boolean
}

/**
 * A relative time, and the exact one: on phones for screen readers and at a tap, so that lists have no tab stop per time.
 *
 * @example <Time of="2026-11-29T12:00:00Z" />
 */
export function Time({ of, words, inControl = false }: TimeProps) {
  const date = new Date(of)
  const hydrated = useHydrated()
  const exact = hydrated ? exactly().format(date) : undefined
  return (
    <>
      {words && <span>{`${words} `}</span>}
      <time
        dateTime={date.toISOString()}
        tabIndex={inControl ? undefined : -1}
        className="relative rounded-small tabular-nums"
      >
        <span>{hydrated && relativeTime(date, new Date(serverNow()))}</span>{' '}
        <span className="exact-time">{exact && `(${exact})`}</span>
      </time>
    </>
  )
}

const exactly = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))
const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
const clock = once(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }))

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** "5 minutes ago", "yesterday, 14:03", "3 months ago". */
function relativeTime(moment: Date, now: Date): string {
  const ago = moment.getTime() - now.getTime()
  const size = Math.abs(ago)
  if (size < MINUTE) return layoutTexts.justNow
  if (size < HOUR) return relative().format(Math.trunc(ago / MINUTE), 'minute')
  if (size < DAY) return relative().format(Math.trunc(ago / HOUR), 'hour')
  if (size >= 365 * DAY) return relative().format(Math.trunc(ago / (365 * DAY)), 'year')
  if (size >= 30 * DAY) return relative().format(Math.trunc(ago / (30 * DAY)), 'month')
  // 25 hours ago can be the day before yesterday.
  const days = Math.round((midnight(moment) - midnight(now)) / DAY)
  return `${relative().format(days, 'day')}, ${clock().format(moment)}`
}

/** The time of a moment today, or else its day: for lists with little room. */
export function formatTimeOrDay(moment: string): string {
  const date = new Date(moment)
  return midnight(date) === midnight(new Date(serverNow())) ? clock().format(date) : formatDay(date)
}

function midnight(moment: Date): number {
  return new Date(moment).setHours(0, 0, 0, 0)
}

/**
 * Formats a number in the language of the page.
 *
 * @example <p>{formatNumber(12_500)}</p>
 */
export function formatNumber(value: number): string {
  return numbers().format(value)
}

/**
 * Formats a duration in the language of the page.
 *
 * @example const wait = `Try again in ${formatSeconds(30)}.`
 */
export function formatSeconds(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes < 120) return unit('minute').format(minutes)
  const hours = Math.round(minutes / 60)
  return hours < 48 ? unit('hour').format(hours) : unit('day').format(Math.round(hours / 24))
}

/** Such as "12 ms". */
export function formatShort(value: number, name: 'millisecond' | 'megabyte'): string {
  return unit(name, 'short').format(Math.round(value))
}

const numbers = once(() => new Intl.NumberFormat(locale))

function unit(name: string, unitDisplay: 'long' | 'short' = 'long'): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay })
}
