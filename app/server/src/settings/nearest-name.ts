import { distance } from 'fastest-levenshtein'

/** The name that `written` most likely stands for; undefined if it is a near miss of none. */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const upper = written.toUpperCase()
  return names.find((name) => distance(upper, name) <= allowedEdits(name))
}

/** Short names are near too many others: HOME would be a misspelt HOST. Two swapped letters are two edits. */
function allowedEdits(name: string): number {
  if (name.length < 5) return 0
  return name.length < 8 ? 1 : 2
}
