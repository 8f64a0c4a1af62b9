import { useQuery } from '@tanstack/react-query'
import { getJson } from '../../request.ts'
import { z } from '../../schema.ts'

/** A repository as the public code-hosting API describes it; one that lacks a count or a picture is shown all the same. */
const repository = z.object({
  id: z.number(),
  name: z.string(),
  full_name: z.string(),
  html_url: z.url({ protocol: /^https?$/ }),
  description: z.nullable(z.string()),
  stargazers_count: z._default(z.number(), 0),
  forks_count: z.optional(z.number()),
  open_issues_count: z.optional(z.number()),
  owner: z.object({
    login: z.string(),
    avatar_url: z.optional(z.string()),
    html_url: z.optional(z.string()),
  }),
})

export type Repository = z.infer<typeof repository>

export type DataSource = 'live' | 'cache' | 'stale' | 'sample'

export interface RepositoryList {
  readonly repositories: readonly Repository[]
  readonly source: DataSource
  /** Age of the list in seconds. */
  readonly age: number
}

/** Milliseconds between two tries after an error, until the server is back. */
const RECOVERY_INTERVAL = 5000

/** The public repositories of one user. */
export function useRepositories(user: string) {
  return useQuery({
    queryKey: ['githubRepos'],
    queryFn: () => listRepositories(user),
    refetchInterval: ({ state }) => (state.status === 'error' ? RECOVERY_INTERVAL : false),
  })
}

async function listRepositories(user: string): Promise<RepositoryList> {
  const { json, headers } = await getJson(`/api/v1/code-host/users/${encodeURIComponent(user)}/repos`)
  const parsed = z.safeParse(z.array(repository), json)
  if (!parsed.success) throw new Error('The list could not be read.', { cause: parsed.error })
  return {
    repositories: parsed.data,
    source: (headers.get('X-Data-Source') ?? 'live') as DataSource,
    age: Number(headers.get('Age') ?? 0),
  }
}
