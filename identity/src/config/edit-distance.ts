/** The Levenshtein distance: insertions, deletions and replacements that turn one text into the other. */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let line = 1; line <= one.length; line++) {
    const next = [line]
    for (let column = 1; column <= other.length; column++) {
      const changed = one[line - 1] === other[column - 1] ? 0 : 1
      const corner = (row[column - 1] ?? 0) + changed
      next.push(Math.min(corner, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
