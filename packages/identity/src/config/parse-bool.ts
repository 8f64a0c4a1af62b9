/** As Go's strconv.ParseBool. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text) => [text, false] as const),
])

/** Parses a boolean from forms and queries; undefined if invalid. */
export function parseBool(text: string): boolean | undefined {
  return BOOLEANS.get(text)
}
