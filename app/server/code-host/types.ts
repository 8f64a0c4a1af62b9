import { z } from 'zod'

// GitHub's spelling. Fields are optional, so that one odd repository does not empty the list.
const webUrl = z.url({ protocol: /^https?$/ })
const count = z.number().int().nonnegative().optional()
const optionalText = z.string().nullish()

export const repository = z.object({
  id: z.number(),
  name: z.string(),
  full_name: z.string(),
  // Becomes a link, so it must not be `javascript:`.
  html_url: webUrl,
  description: z.string().nullable().default(null),
  stargazers_count: z.number().int().nonnegative().default(0),
  forks_count: count,
  open_issues_count: count,
  private: z.boolean().default(false),
  owner: z.object({
    login: z.string(),
    avatar_url: webUrl.optional(),
    html_url: webUrl.optional(),
  }),
})

export const user = z.object({
  login: z.string(),
  id: z.number(),
  node_id: z.string().optional(),
  avatar_url: webUrl.optional(),
  gravatar_id: optionalText,
  url: z.string().optional(),
  html_url: webUrl.optional(),
  followers_url: z.string().optional(),
  following_url: z.string().optional(),
  gists_url: z.string().optional(),
  starred_url: z.string().optional(),
  subscriptions_url: z.string().optional(),
  organizations_url: z.string().optional(),
  repos_url: z.string().optional(),
  events_url: z.string().optional(),
  received_events_url: z.string().optional(),
  type: z.string().optional(),
  site_admin: z.boolean().optional(),
  name: optionalText,
  company: optionalText,
  blog: optionalText,
  location: optionalText,
  email: optionalText,
  hireable: z.boolean().nullish(),
  bio: optionalText,
  twitter_username: optionalText,
  public_repos: count,
  public_gists: count,
  followers: count,
  following: count,
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
})

const contributor = z.object({
  // Anonymous contributors have neither.
  login: z.string().optional(),
  id: z.number().optional(),
  avatar_url: webUrl.optional(),
  contributions: z.number().int().nonnegative(),
})

export const repositories = z.array(repository)
export const shownRepository = repository.omit({ private: true })
export const shownRepositories = z.array(shownRepository)
export const contributors = z.array(contributor)

export type WireRepository = z.infer<typeof repository>
export type Repository = z.infer<typeof shownRepository>
export type User = z.infer<typeof user>
export type Contributor = z.infer<typeof contributor>

/** live: now · cache: within a minute · stale: an older copy after a failure · sample: the demo's copy */
type DataSource = 'live' | 'cache' | 'stale' | 'sample'

export interface CodeHostAnswer<T> {
  readonly data: T
  readonly source: DataSource
  /** Seconds since GitHub last confirmed the data. */
  readonly age: number
  /** GitHub has more than the pages that are read. */
  readonly isTruncated?: boolean
}
