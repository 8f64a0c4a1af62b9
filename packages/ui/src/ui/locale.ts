/** The language of the page. Words, dates and numbers agree, whatever the browser's language is. */
export const locale = (typeof document === 'undefined' ? '' : document.documentElement.lang) || 'en'

/** Makes a formatter at its first use: together they would delay a phone's first page by 60 ms. */
export function once<Formatter>(make: () => Formatter): () => Formatter {
  let formatter: Formatter | undefined
  return () => {
    formatter ??= make()
    return formatter
  }
}

const days = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))

/**
 * Formats a date in the language of the page. One without a time, such as a birthday, is the same in every time zone.
 * Any other text stays as it is.
 *
 * @example <p>{formatDay('2026-11-29')}</p>
 */
export function formatDay(moment: string | Date): string {
  const date = momentOf(moment)
  return Number.isNaN(date.getTime()) ? `${moment}` : days().format(date)
}

function momentOf(moment: string | Date): Date {
  const isDay = typeof moment === 'string' && /^\d{4}-\d\d-\d\d$/.test(moment)
  return new Date(isDay ? `${moment}T00:00` : moment)
}

const daysOfMonth = once(() => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }))

/** Without the year, for a chart. */
export function formatDayOfMonth(day: string): string {
  return daysOfMonth().format(momentOf(day))
}

/** The first letter, as the user sees it. */
export function initialOf(text: string): string {
  const [first] = new Intl.Segmenter(locale).segment(text)
  return (first?.segment ?? '').toLocaleUpperCase(locale)
}
