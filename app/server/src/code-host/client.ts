import { setTimeout as delay } from 'node:timers/promises'
import type { z } from 'zod'
import { ProductError } from '../http/errors.ts'
import type { CodeHostParts } from './ask.ts'
import { createAsk } from './ask.ts'
import type { Copy } from './copies.ts'
import { createCopies } from './copies.ts'
import { unknownName } from './request.ts'
import type { Answer, Contributor, Repository, User, WireRepository } from './types.ts'
import { contributors, repositories, repository, user } from './types.ts'

/** Every failure is a `ProductError`. */
export interface CodeHost {
  listUserRepositories(username: string): Promise<Answer<Repository[]>>
  getUser(username: string): Promise<Answer<User>>
  getRepository(owner: string, repo: string): Promise<Answer<Repository>>
  listContributors(owner: string, repo: string): Promise<Answer<Contributor[]>>
  listOrganizationRepositories(org: string): Promise<Answer<Repository[]>>
}

const freshMs = 60_000
const restAfterFailureMs = 5_000
// Users should not wait longer for GitHub if there is a copy.
const patienceMs = 250

export function createCodeHost(parts: CodeHostParts): CodeHost {
  const get = createReader(parts)
  const many = '?per_page=100'
  const list = async (path: string) => {
    const answer = await readPages(get, path, repositories)
    return { ...answer, data: withoutPrivate(answer.data) }
  }
  const getRepository = async (owner: string, repo: string) => {
    const answer = await get(repositoryPath(owner, repo), repository)
    const [data] = withoutPrivate([answer.data])
    if (!data) throw unknownName()
    return { ...answer, data }
  }
  return {
    listUserRepositories: (username) => list(`/users/${encodeURIComponent(username)}/repos${many}`),
    getUser: (username) => get(`/users/${encodeURIComponent(username)}`, user),
    getRepository,
    async listContributors(owner, repo) {
      await getRepository(owner, repo)
      return await readPages(get, `${repositoryPath(owner, repo)}/contributors${many}`, contributors)
    },
    listOrganizationRepositories: (org) => list(`/orgs/${encodeURIComponent(org)}/repos${many}`),
  }
}

const MAX_PAGES = 10

/** A list is as old as its oldest page. */
async function readPages<T>(get: Read, first: string, schema: z.ZodType<T[]>): Promise<Answer<T[]>> {
  const pages: Page<T[]>[] = []
  for (let path: string | undefined = first; path !== undefined && pages.length < MAX_PAGES; ) {
    const page: Page<T[]> = await get(path, schema)
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
  return [...unique.values()].flatMap(({ private: hidden, ...shown }) => (hidden ? [] : [shown]))
}

function repositoryPath(owner: string, repo: string): string {
  return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`
}

interface Page<T> extends Answer<T> {
  readonly next: string | undefined
}

type Read = <T>(path: string, schema: z.ZodType<T>) => Promise<Page<T>>

function createReader(parts: CodeHostParts): Read {
  const copies = createCopies(500, 16 * 2 ** 20)
  const failures = createFailures(parts)
  const ask = createAsk(parts)
  const time = () => parts.now().getTime()

  const refresh = shareRuns(async (path: string, schema: z.ZodType, copy: Copy | undefined) => {
    try {
      const fresh = await ask(path, schema, copy)
      copies.put(path, fresh)
      return fresh
    } catch (error) {
      failures.remember(path, error)
      throw error
    }
  })

  async function readAgain(path: string, schema: z.ZodType, copy: Copy): Promise<Page<unknown>> {
    const fresh = failures.recent(path) ? undefined : await withinPatience(refresh(path, schema, copy))
    return fresh ? answer(fresh, 'live', time()) : answer(copy, 'stale', time())
  }

  async function read(path: string, schema: z.ZodType): Promise<Page<unknown>> {
    const copy = copies.find(path)
    if (copy && time() - copy.confirmed_at < freshMs) return answer(copy, 'cache', time())
    if (copy) return readAgain(path, schema, copy)
    const failure = failures.recent(path)
    if (failure) throw failure.error
    return answer(await refresh(path, schema, undefined), 'live', time())
  }

  // A path has one schema, so its copy is valid for `T`.
  return async <T>(path: string, schema: z.ZodType<T>) => (await read(path, schema)) as Page<T>
}

type Refresh = (path: string, schema: z.ZodType, copy: Copy | undefined) => Promise<Copy>

/** Sends one request for all callers of a path. */
function shareRuns(refresh: Refresh): Refresh {
  const underWay = new Map<string, Promise<Copy>>()
  return (path, schema, copy) => {
    const running = underWay.get(path)
    if (running !== undefined) return running
    const started = refresh(path, schema, copy).finally(() => underWay.delete(path))
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
      log.warn({ path: path.split('?')[0], reason: String(error) }, 'code host failed')
    },
    recent(path: string) {
      const failure = byPath.get(path)
      return failure !== undefined && now().getTime() < failure.until ? failure : undefined
    },
  }
}

/** Undefined if the refresh fails or takes too long. It then continues for later callers. */
async function withinPatience(refresh: Promise<Copy>): Promise<Copy | undefined> {
  const patience = delay(patienceMs, undefined)
  return await Promise.race([refresh.catch(() => undefined), patience])
}

function answer(copy: Copy, source: Answer<unknown>['source'], now: number): Page<unknown> {
  const age = Math.max(0, Math.floor((now - copy.confirmed_at) / 1000))
  return { data: copy.data, source, age, next: copy.next }
}
