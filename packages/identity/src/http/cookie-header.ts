/** The values of a cookie in the order of the Cookie header; several if the name is duplicated. */
export function cookieValues(header: string | undefined, name: string): string[] {
  const start = `${name}=`
  return cookiePairs(header ?? '')
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
}

/** The `name=value` pairs of a Cookie header, trimmed. */
export function cookiePairs(header: string): string[] {
  return header.split(';').map(trimBlanks)
}

/**
 * Trims spaces and tabs only: trimming all Unicode white space would turn "\u2000name" into "name" (SEC-36). Without a
 * regular expression, because matching the end of a text is quadratic in its blanks.
 */
function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text, start)) start++
  while (end > start && isBlank(text, end - 1)) end--
  return text.slice(start, end)
}

function isBlank(text: string, index: number): boolean {
  const character = text[index]
  return character === ' ' || character === '\t'
}
