/** The language of the page. Words, dates and numbers agree, whatever the browser's language is. */
export const locale = (typeof document === 'undefined' ? '' : document.documentElement.lang) || 'en'

/** Makes a formatter at its first use: together they would delay a phone's first page by 60 ms. */
export function once<Formatter>(make: () => Formatter): () => Formatter {
  let made: Formatter | undefined
  return () => {
    made ??= make()
    return made
  }
}

const days = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'long' }))

export function formatDay(moment: string | Date): string {
  return days().format(new Date(moment))
}

/** The first letter, as the user sees it. */
export function initialOf(text: string): string {
  const [first] = new Intl.Segmenter(locale).segment(text)
  return (first?.segment ?? '').toLocaleUpperCase(locale)
}
