import { type Log, type OwnMetrics, ProductError } from '@ostiary/server'
import type { z } from 'zod'
import { createRateLimit } from './rate-limit.ts'
import type { CachedReply } from './reply-cache.ts'
import type { CodeHostReply, CodeHostRequestOptions } from './request.ts'
import { isRedirect, pathBelow, requestCodeHost, unavailable, unknownName } from './request.ts'
import { createShares } from './shares.ts'

export interface CodeHostParts extends Partial<CodeHostRequestOptions> {
  readonly base: string
  readonly token?: string | undefined
  /** GitHub's last calls are reserved for this user's list. */
  readonly dashboardUser: string
  readonly now: () => Date
  readonly log: Log
  readonly metrics: OwnMetrics
}

/** The call counts towards the share of `userId`, if set. */
export interface GitHubRequest {
  readonly path: string
  readonly schema: z.ZodType
  readonly copy: CachedReply | undefined
  readonly userId: string | undefined
}

export type GitHubClient = (question: GitHubRequest) => Promise<CachedReply>

export const PAGE_QUERY = '?per_page=100'

// Reserved for the dashboard, of 60 calls an hour.
const keptCalls = 10

export function createGitHubClient(parts: CodeHostParts): GitHubClient {
  const options: CodeHostRequestOptions = {
    fetch,
    maxBodyBytes: 2 * 2 ** 20,
    answerTimeoutMs: 4_000,
    totalTimeoutMs: 8_000,
    ...parts,
  }
  const limit = createRateLimit()
  const share = createShares()
  const serialize = createQueue(10, 200)
  const dashboardPaths = new Set([`/users/${encodeURIComponent(parts.dashboardUser)}/repos${PAGE_QUERY}`])
  let token = parts.token

  function assertMayAsk(path: string): void {
    const seconds = limit.waitSeconds(parts.now())
    if (seconds > 0) throw limited(seconds)
    if (!dashboardPaths.has(path) && limit.remaining(parts.now()) <= keptCalls) throw limited(60)
  }

  async function send(path: string, copy: CachedReply | undefined): Promise<CodeHostReply> {
    // Checked again, because the call may have waited.
    assertMayAsk(path)
    const authorization = token
    const call = () => requestCodeHost(options, path, requestHeaders(authorization, copy))
    const reply = await measured(parts.metrics, call)
    const refused = limit.recordResponse(reply.response, reply.body, parts.now())
    if (refused) {
      const seconds = Math.max(1, limit.waitSeconds(parts.now()))
      parts.log.warn({ seconds }, 'code host limits the number of requests')
      throw limited(seconds)
    }
    if (reply.response.status !== 401 || authorization === undefined) return reply
    // Public data need no token, so a revoked one is dropped and reported once.
    if (token === authorization) parts.log.error({}, 'GitHub rejected GITHUB_TOKEN; continuing without it')
    token = undefined
    return send(path, copy)
  }

  return async ({ path, schema, copy, userId }) => {
    assertMayAsk(path)
    const now = parts.now()
    const call = {
      userId: dashboardPaths.has(path) ? undefined : userId,
      left: limit.remaining(now) - keptCalls,
      windowEnds: limit.windowEnds(now),
      now: now.getTime(),
    }
    const { response, body } = await share(call, () => serialize(() => send(path, copy)))
    const confirmed_at = parts.now().getTime()
    if (response.status === 304 && copy) return { ...copy, confirmed_at }
    const data = parseBody(response, body, schema)
    const etag = response.headers.get('etag') ?? undefined
    const next = nextPage(parts.base, response.headers.get('link') ?? '')
    if (next !== undefined && dashboardPaths.has(path)) dashboardPaths.add(next)
    return { data, etag, next, size: Buffer.byteLength(body), confirmed_at }
  }
}

/** RFC 8288, as GitHub writes it. */
function nextPage(base: string, link: string): string | undefined {
  const [, target] = /<([^<>]*)>;[^<]*\brel="next"/.exec(link) ?? []
  return target === undefined ? undefined : pathBelow(base, target)
}

async function measured(metrics: OwnMetrics, call: () => Promise<CodeHostReply>): Promise<CodeHostReply> {
  const started = performance.now()
  let status = 'failed'
  try {
    const reply = await call()
    status = String(reply.response.status)
    return reply
  } finally {
    const seconds = (performance.now() - started) / 1000
    metrics.observe('code_host_request_duration_seconds', { status }, seconds)
  }
}

function requestHeaders(token: string | undefined, copy: CachedReply | undefined): Record<string, string> {
  return {
    Accept: 'application/vnd.github+json',
    'User-Agent': 'my-app',
    'X-GitHub-Api-Version': '2022-11-28',
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(copy?.etag === undefined ? {} : { 'If-None-Match': copy.etag }),
  }
}

function limited(seconds: number): ProductError {
  return new ProductError('rate_limited', 503, 'GitHub has limited the number of requests', {
    retryAfter: seconds,
  })
}

function parseBody(response: Response, body: string, schema: z.ZodType): unknown {
  // GitHub's status for contributors of an empty repository.
  if (response.status === 204) return []
  if (response.status === 404 || response.status === 451 || isRedirect(response.status)) throw unknownName()
  if (response.status === 403) throw new ProductError('forbidden', 403, 'GitHub does not give this list out')
  if (response.status !== 200) throw failed(response.status)
  const parsed = schema.safeParse(parseJson(body))
  if (!parsed.success) throw unavailable('GitHub sent an answer that we can’t read.')
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The status is for the log. */
function failed(status: number): ProductError {
  return unavailable(
    'GitHub has a problem right now. Please try again in a minute.',
    new Error(`status ${status}`),
  )
}

function createQueue(limit: number, maxWaiting: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0

  async function turn(): Promise<void> {
    if (running < limit) {
      running++
      return
    }
    if (waiting.length >= maxWaiting)
      throw new ProductError('code_host_unavailable', 503, 'Too many requests wait for GitHub', {
        retryAfter: 5,
      })
    // A finished task passes its slot on, so `running` stays.
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  return async (task) => {
    await turn()
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
