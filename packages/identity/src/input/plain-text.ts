/** The value of a JSON text; the text itself if it is not valid JSON. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Accepts the texts of Go's `strconv.ParseBool`. */
const TRUE = ['1', 't', 'T', 'true', 'TRUE', 'True']
const FALSE = ['0', 'f', 'F', 'false', 'FALSE', 'False']

/** Parses a boolean from a form or a query. Returns `undefined` if it is invalid. */
export function parseBool(text: string): boolean | undefined {
  if (TRUE.includes(text)) return true
  return FALSE.includes(text) ? false : undefined
}
