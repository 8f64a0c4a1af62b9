import type { Repository } from './list-repositories.ts'

export type Order = 'listed' | 'stars' | 'name'

/** Those whose names contain the text, in any case, in that order. */
export function arrange(
  repositories: readonly Repository[],
  filter: string,
  order: Order,
): readonly Repository[] {
  const wanted = filter.trim().toLowerCase()
  const found = repositories.filter(({ name }) => name.toLowerCase().includes(wanted))
  if (order === 'listed') return found
  if (order === 'name') return found.toSorted((one, other) => one.name.localeCompare(other.name))
  return found.toSorted((one, other) => other.stargazers_count - one.stargazers_count)
}
