/** The values of a cookie in the order of a Cookie header: more than one where a name stands twice. */
export function cookieValues(header: string | undefined, name: string): string[] {
  const start = `${name}=`
  return cookiePairs(header ?? '')
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
}

/** The `name=value` pairs of a Cookie header, without the blanks around them. */
export function cookiePairs(header: string): string[] {
  return header.split(';').map(trimBlanks)
}

/**
 * Trims spaces and tabs only: trimming all of Unicode would let "\u2000name" pass for "name" (SEC-36). By hand, because
 * a regular expression for the end of a text tries every blank in it.
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
