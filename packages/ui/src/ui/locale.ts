/** The language of the page. Words, dates and numbers agree, whatever the browser's language is. */
export const locale = (typeof document === 'undefined' ? '' : document.documentElement.lang) || 'en'

const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })

export function formatDay(moment: string | Date): string {
  return days.format(new Date(moment))
}

/** The first letter, as the user sees it. */
export function initialOf(text: string): string {
  const [first] = new Intl.Segmenter(locale).segment(text)
  return (first?.segment ?? '').toLocaleUpperCase(locale)
}
