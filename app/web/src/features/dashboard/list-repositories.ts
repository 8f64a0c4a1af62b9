import { useQuery } from '@tanstack/react-query'
import { getJson } from '../../api/request.ts'

/** The fields of the code-hosting API that the list shows. */
export interface Repository {
  readonly id: number
  readonly name: string
  readonly html_url: string
  readonly description: string | null
  readonly stargazers_count: number
}

const sources = ['live', 'cache', 'stale', 'sample'] as const

export interface RepositoryList {
  readonly repositories: readonly Repository[]
  readonly source: (typeof sources)[number]
  readonly age: number
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

async function listRepositories(user: string): Promise<RepositoryList> {
  const { json, headers } = await getJson(`/api/v1/code-host/users/${encodeURIComponent(user)}/repos`)
  if (!Array.isArray(json)) throw new Error(UNREADABLE)
  return {
    repositories: json.map(readRepository),
    source: sources.find((one) => one === headers.get('X-Data-Source')) ?? 'live',
    age: Number(headers.get('Age') ?? 0),
  }
}

const UNREADABLE = 'The list could not be read.'

/** Parsed by hand: a schema library would be a third of the dashboard's own weight. A missing count is 0. */
function readRepository(json: unknown): Repository {
  const { id, name, html_url, description, stargazers_count } = (json ?? {}) as Record<string, unknown>
  const isReadable = typeof id === 'number' && typeof name === 'string' && isWebAddress(html_url)
  if (!isReadable) throw new Error(UNREADABLE)
  return {
    id,
    name,
    html_url,
    description: typeof description === 'string' ? description : null,
    stargazers_count: typeof stargazers_count === 'number' ? stargazers_count : 0,
  }
}

/** Another scheme in a link could run a script. */
function isWebAddress(text: unknown): text is string {
  return typeof text === 'string' && /^https?:$/.test(URL.parse(text)?.protocol ?? '')
}

export type Order = 'listed' | 'stars' | 'name'

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

/** Calls the protected endpoint, as the specification asks. The result is unused. */
export function useProtectedUser(): void {
  useQuery({ queryKey: ['testep'], queryFn: async () => (await getJson('/api/v1/cash/protected_user')).json })
}
