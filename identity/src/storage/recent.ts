/** What was made from the rows of the latest queries. */
export interface Recent<Row, Made> {
  /**
   * Makes a value from rows, or returns the one made from the same rows before: parsing and copying them takes longer
   * than reading. Rows are compared by value, so a change is never missed.
   */
  reuse(key: string, rows: readonly Row[], make: (rows: readonly Row[]) => Made): Made
}

/** @param most values to keep; the least recently used one is dropped */
export function createRecent<Row extends object, Made>(most: number): Recent<Row, Made> {
  const kept = new Map<string, { readonly rows: readonly Row[]; readonly made: Made }>()
  return {
    reuse(key, rows, make) {
      const known = kept.get(key)
      kept.delete(key)
      // Not for unknown keys, which anyone can send.
      if (rows.length === 0) return make(rows)
      const entry = known && areEqual(known.rows, rows) ? known : { rows, made: make(rows) }
      if (kept.size >= most) kept.delete(kept.keys().next().value ?? '')
      kept.set(key, entry)
      return entry.made
    },
  }
}

function areEqual<Row extends object>(before: readonly Row[], after: readonly Row[]): boolean {
  return before.length === after.length && before.every((row, n) => hasSameValues(row, after[n] as Row))
}

function hasSameValues<Row extends object>(before: Row, after: Row): boolean {
  for (const name in after) if (before[name] !== after[name]) return false
  return true
}
