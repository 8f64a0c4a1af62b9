import { type ApiAnswer, callApi, locale } from '@ostiary/ui'
import { useQuery } from '@tanstack/react-query'

export type Repository = ApiAnswer<'/code-host/users/:username/repos'>[number]

export interface RepositoryList {
  readonly repositories: readonly Repository[]
  /** `live`, `cache`, `stale` or `sample`. */
  readonly source: string | null
  readonly age: number
  /** GitHub has more. */
  readonly isTruncated: boolean
}

/** Milliseconds between two attempts after an error. */
const RECOVERY_INTERVAL = 5000

export function useRepositories(user: string) {
  return useQuery({
    queryKey: ['githubRepos'],
    queryFn: () => listRepositories(user),
    refetchInterval: ({ state }) => (state.status === 'error' ? RECOVERY_INTERVAL : false),
  })
}

async function listRepositories(username: string): Promise<RepositoryList> {
  const { json, headers } = await callApi('GET', '/code-host/users/:username/repos', { param: { username } })
  return {
    repositories: json,
    source: headers.get('X-Data-Source'),
    age: Number(headers.get('Age') ?? 0),
    isTruncated: headers.has('X-Data-Truncated'),
  }
}

export type Order = 'listed' | 'stars' | 'name'

const names = new Intl.Collator(locale)

export function arrange(
  repositories: readonly Repository[],
  filter: string,
  order: Order,
): readonly Repository[] {
  const wanted = filter.trim().toLowerCase()
  const found = repositories.filter(({ name }) => name.toLowerCase().includes(wanted))
  if (order === 'listed') return found
  if (order === 'name') return found.toSorted((one, other) => names.compare(one.name, other.name))
  return found.toSorted((one, other) => other.stargazers_count - one.stargazers_count)
}

/** Calls the protected endpoint, as the specification asks. The result is unused. */
export function useProtectedUser(): void {
  useQuery({ queryKey: ['testep'], queryFn: async () => (await callApi('GET', '/cash/protected_user')).json })
}
