import { setTimeout as delay } from 'node:timers/promises'
import { ProductError } from '@ostiary/server'
import type { z } from 'zod'
import {
  type CodeHostParts,
  createGitHubClient,
  type GitHubClient,
  type GitHubRequest,
  PAGE_QUERY,
} from './github-client.ts'
import { type CachedReply, createReplyCache } from './reply-cache.ts'
import { unknownName } from './request.ts'
import type { CodeHostAnswer, Contributor, Repository, User, WireRepository } from './types.ts'
import { contributors, repositories, repository, user } from './types.ts'

/** Every failure is a `ProductError`. Look-ups count towards the share of the signed-in user, if named. */
export interface CodeHost {
  listUserRepositories(username: string, userId?: string): Promise<CodeHostAnswer<Repository[]>>
  getUser(username: string, userId?: string): Promise<CodeHostAnswer<User>>
  getRepository(owner: string, repo: string, userId?: string): Promise<CodeHostAnswer<Repository>>
  listContributors(owner: string, repo: string, userId?: string): Promise<CodeHostAnswer<Contributor[]>>
  listOrganizationRepositories(org: string, userId?: string): Promise<CodeHostAnswer<Repository[]>>
}

const freshMs = 60_000
const restAfterFailureMs = 5_000
// Users should not wait longer for GitHub if there is a copy.
const patienceMs = 250

export function createCodeHost(parts: CodeHostParts): CodeHost {
  const get = createReader(parts)
  const list = async (path: string, userId?: string) => {
    const answer = await readPages(get, path, repositories, userId)
    return { ...answer, data: withoutPrivate(answer.data) }
  }
  const getRepository = async (owner: string, repo: string, userId?: string) => {
    const answer = await get(repositoryPath(owner, repo), repository, userId)
    const [data] = withoutPrivate([answer.data])
    if (!data) throw unknownName()
    return { ...answer, data }
  }
  return {
    listUserRepositories: async (username, userId) =>
      list(`/users/${login(username)}/repos${PAGE_QUERY}`, userId),
    getUser: async (username, userId) => get(`/users/${login(username)}`, user, userId),
    getRepository,
    async listContributors(owner, repo, userId) {
      await getRepository(owner, repo, userId)
      return await readPages(
        get,
        `${repositoryPath(owner, repo)}/contributors${PAGE_QUERY}`,
        contributors,
        userId,
      )
    },
    listOrganizationRepositories: async (org, userId) =>
      list(`/orgs/${login(org)}/repos${PAGE_QUERY}`, userId),
  }
}

const MAX_PAGES = 10

/** A list is as old as its oldest page. */
async function readPages<T>(
  get: Read,
  first: string,
  schema: z.ZodType<T[]>,
  userId: string | undefined,
): Promise<CodeHostAnswer<T[]>> {
  const pages: Page<T[]>[] = []
  for (let path: string | undefined = first; path !== undefined && pages.length < MAX_PAGES; ) {
    const page: Page<T[]> = await get(path, schema, userId)
    pages.push(page)
    path = page.next
  }
  const sources = pages.map(({ source }) => source)
  return {
    data: pages.flatMap(({ data }) => data),
    source: (['stale', 'live'] as const).find((one) => sources.includes(one)) ?? 'cache',
    age: Math.max(...pages.map(({ age }) => age)),
    ...(pages.at(-1)?.next !== undefined && { isTruncated: true }),
  }
}

/** GITHUB_TOKEN may read private repositories. One that moved to the next page meanwhile is on both. */
function withoutPrivate(repositories: readonly WireRepository[]): Repository[] {
  const unique = new Map(repositories.map((one) => [one.id, one]))
  return [...unique.values()].flatMap(({ private: hidden, ...publicRepository }) =>
    hidden ? [] : [publicRepository],
  )
}

function repositoryPath(owner: string, repo: string): string {
  if (!/^[\w.-]{1,100}$/.test(repo) || /^\.{1,2}$/.test(repo)) throw badName()
  return `/repos/${login(owner)}/${repo}`
}

function login(name: string): string {
  if (!/^[a-z\d](?:[a-z\d_-]{0,99})$/i.test(name)) throw badName()
  return name
}

function badName(): ProductError {
  return new ProductError('bad_request', 400, 'This cannot be a name on GitHub')
}

interface Page<T> extends CodeHostAnswer<T> {
  readonly next: string | undefined
}

type Read = <T>(path: string, schema: z.ZodType<T>, userId?: string) => Promise<Page<T>>

function createReader(parts: CodeHostParts): Read {
  const copies = createReplyCache(500, 16 * 2 ** 20)
  const failures = createFailures(parts)
  const ask = createGitHubClient(parts)
  const time = () => parts.now().getTime()

  const refresh = shareRuns(async (question) => {
    const { path } = question
    try {
      const fresh = await ask(question)
      copies.put(path, fresh)
      return fresh
    } catch (error) {
      failures.remember(path, error)
      throw error
    }
  })

  async function readAgain(
    staleQuestion: GitHubRequest & { readonly copy: CachedReply },
  ): Promise<Page<unknown>> {
    const { path, copy } = staleQuestion
    const fresh = failures.recent(path) ? undefined : await withinPatience(refresh(staleQuestion))
    return fresh ? answer(fresh, 'live', time()) : answer(copy, 'stale', time())
  }

  async function read(path: string, schema: z.ZodType, userId?: string): Promise<Page<unknown>> {
    const copy = copies.find(path)
    if (copy && time() - copy.confirmed_at < freshMs) return answer(copy, 'cache', time())
    if (copy) return readAgain({ path, schema, copy, userId })
    const failure = failures.recent(path)
    if (failure) throw failure.error
    return answer(await refresh({ path, schema, copy, userId }), 'live', time())
  }

  // A path has one schema, so its copy is valid for `T`.
  return async <T>(path: string, schema: z.ZodType<T>, userId?: string) =>
    (await read(path, schema, userId)) as Page<T>
}

/** Sends one request for all callers of a path. */
function shareRuns(refresh: GitHubClient): GitHubClient {
  const underWay = new Map<string, Promise<CachedReply>>()
  return (question) => {
    const { path } = question
    const running = underWay.get(path)
    if (running !== undefined) return running
    const started = refresh(question).finally(() => underWay.delete(path))
    underWay.set(path, started)
    return started
  }
}

/** Pauses after a failure, so that users do not wait one by one. */
function createFailures({ now, log }: CodeHostParts) {
  const byPath = new Map<string, { readonly until: number; readonly error: unknown }>()
  return {
    remember(path: string, error: unknown): void {
      // The rate limit has its own end.
      if (error instanceof ProductError && error.code === 'rate_limited') return
      if (byPath.size >= 1_000) byPath.clear()
      byPath.set(path, { until: now().getTime() + restAfterFailureMs, error })
      // Any user can ask for a name that is unknown.
      if (error instanceof ProductError && error.status < 500) return
      log.warn({ path: path.split('?')[0], reason: String(error) }, 'code host failed')
    },
    recent(path: string) {
      const failure = byPath.get(path)
      return failure !== undefined && now().getTime() < failure.until ? failure : undefined
    },
  }
}

/** Undefined if the refresh fails or takes too long. It then continues for later callers. */
async function withinPatience(refresh: Promise<CachedReply>): Promise<CachedReply | undefined> {
  const patience = delay(patienceMs, undefined)
  return await Promise.race([refresh.catch(() => undefined), patience])
}

function answer(copy: CachedReply, source: CodeHostAnswer<unknown>['source'], now: number): Page<unknown> {
  const age = Math.max(0, Math.floor((now - copy.confirmed_at) / 1000))
  return { data: copy.data, source, age, next: copy.next }
}
