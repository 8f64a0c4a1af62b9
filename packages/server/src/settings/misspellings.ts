import { distance } from 'fastest-levenshtein'

export function findMisspellings(
  givenVariables: Readonly<Record<string, string>>,
  settings: readonly string[],
): { meant: string; sentence: string }[] {
  return Object.keys(givenVariables).flatMap((givenName) => {
    const [, name = '', file = ''] = /^(.*?)(_FILE)?$/s.exec(givenName) ?? []
    const meant = settings.includes(name) ? undefined : nearestName(name, settings)
    // If both are set, the odd one belongs to another program.
    if (meant === undefined || givenVariables[meant] !== undefined) return []
    return { meant, sentence: `${givenName} is not a setting. Did you mean ${meant}${file}?` }
  })
}

function nearestName(givenName: string, names: readonly string[]): string | undefined {
  const upper = givenName.toUpperCase()
  const letters = (name: string) => [...name].sort().join()
  const edits = (name: string) => distance(upper, name)
  return names
    .filter((name) => edits(name) <= allowedEdits(name) || letters(name) === letters(upper))
    .toSorted((a, b) => edits(a) - edits(b))[0]
}

/** Short names are close to many others: HOME would be a misspelled HOST. */
function allowedEdits(name: string): number {
  if (name.length < 5) return 0
  if (name.length < 8) return 1
  return name.length < 12 ? 2 : 3
}
