import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProductError, type SessionCheck } from '@ostiary/server'
import { sendJson, startLocalCodeHost } from '@ostiary/server/testing/local-code-host'
import { keepLog, quietMetrics } from '@ostiary/server/testing/quiet-log'
import type { MiddlewareHandler } from 'hono'
import { createCodeHost } from './code-host.ts'
import { codeHostRoutes } from './routes.ts'

const NOW = Date.parse('2031-01-01T00:00:00Z')
const RESETS = NOW / 1000 + 1800

/** GitHub without a token: 60 calls an hour. */
async function startLimitedCodeHost() {
  let left = 60
  const github = await startLocalCodeHost((request, response) => {
    left = Math.max(0, left - 1)
    const headers = { 'x-ratelimit-remaining': `${left}`, 'x-ratelimit-reset': `${RESETS}` }
    sendJson(200, { login: 'x', id: 1 }, headers)(request, response)
  })
  const codeHost = createCodeHost({
    base: github.base,
    dashboardUser: 'octocat',
    now: () => new Date(NOW),
    log: keepLog(),
    metrics: quietMetrics,
  })
  return { github, codeHost, [Symbol.asyncDispose]: () => github[Symbol.asyncDispose]() }
}

const isRefused = (error: unknown) => {
  assert.ok(error instanceof ProductError)
  assert.deepEqual([error.code, error.status, error.headers['Retry-After']], ['rate_limited', 429, '1800'])
  return true
}

test('SEC-105 no user spends the look-ups of GitHub that all share', async () => {
  await using limited = await startLimitedCodeHost()
  const { codeHost, github } = limited
  const look = async (userId: string) => {
    const before = github.requests.length
    for (let n = 0; n < 60; n++)
      await codeHost.getUser(`${userId}-${n}`, userId).catch((error: unknown) => isRefused(error))
    return github.requests.length - before
  }
  assert.ok((await look('greedy')) <= 12)
  assert.ok((await look('ada')) >= 5)
  assert.equal((await codeHost.getUser('ada-0', 'greedy')).source, 'cache', 'copies cost nothing')
})

test('SEC-105 no user fills the queue for GitHub', async () => {
  await using limited = await startLimitedCodeHost()
  const { codeHost, github } = limited
  const answers: (() => void)[] = []
  const { reply } = github
  github.reply = (request, response) => void answers.push(() => reply(request, response))
  const greedy = Array.from({ length: 300 }, (_, n) => codeHost.getUser(`greedy-${n}`, 'greedy'))
  const settled = Promise.allSettled(greedy)
  const ada = codeHost.getUser('ada', 'ada')
  github.reply = reply
  while (github.requests.length < 6) await new Promise(setImmediate)
  for (const answer of answers) answer()
  assert.equal((await ada).source, 'live')
  assert.equal((await settled).filter(({ status }) => status === 'fulfilled').length, 5)
})

test('SEC-105 every route counts towards its user', async () => {
  const counted: unknown[] = []
  const codeHost = new Proxy({} as ReturnType<typeof createCodeHost>, {
    get:
      () =>
      async (...given: unknown[]) => {
        counted.push(given.at(-1))
        return { data: [], source: 'live', age: 0 }
      },
  })
  const signedIn: MiddlewareHandler = async (c, next) => {
    c.set('session', { identity: { id: 'the-user' } })
    await next()
  }
  const routes = codeHostRoutes(codeHost, { require: () => signedIn } as unknown as SessionCheck)
  const paths = new Set(routes.routes.map(({ path }) => path.replaceAll(/:\w+/g, 'name')))
  for (const path of paths) assert.equal((await routes.request(path)).status, 200)
  assert.equal(paths.size, 5)
  assert.deepEqual(
    counted,
    [...paths].map(() => 'the-user'),
  )
})
