export const repositoryTexts = {
  list: (user: string) => `Repositories of ${user}`,
  loading: (user: string) => `Loading GitHub repositories for ${user}...`,
  empty: (user: string) => `No repositories found for ${user}.`,
  error: (message: string) => `Error loading repositories: ${message || 'Unknown error'}`,
  count: (shown: string, all: string, isTruncated: boolean) => {
    const noun = all === '1' ? 'repository' : 'repositories'
    if (shown === all) return `${isTruncated ? 'The first ' : ''}${all} public ${noun} of`
    return `${shown} of ${isTruncated ? 'the first ' : ''}${all} public ${noun} of`
  },
  filter: 'Filter by name',
  sort: 'Sort by',
  orders: { listed: 'Default order', stars: 'Most stars', name: 'Name' },
  noMatch: (text: string) => `No repositories match “${text}”.`,
  clear: 'Clear the filter',
  newTab: '(opens in a new tab)',
  stars: 'stars',
  sample: (day: string) => `Demo: sample of ${day}`,
  stale: (age: string) => `GitHub does not answer. This list is ${age} old.`,
} as const
