/** As Go's strconv.ParseBool reads them. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text) => [text, false] as const),
])

/** A boolean as forms and queries spell it; undefined for anything else. */
export function parseBool(text: string): boolean | undefined {
  return BOOLEANS.get(text)
}
