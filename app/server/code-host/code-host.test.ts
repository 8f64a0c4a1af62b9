import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ProductError } from '@ostiary/server'
import type { LocalCodeHost } from '@ostiary/server/testing/local-code-host'
import {
  sendJson,
  sendRepositories,
  startLocalCodeHost,
  wireRepository,
} from '@ostiary/server/testing/local-code-host'
import { keepLog, quietMetrics } from '@ostiary/server/testing/quiet-log'
import { createCodeHost } from './code-host.ts'
import type { CodeHostParts } from './github-client.ts'

function setUp(github: LocalCodeHost, parts: Partial<CodeHostParts> = {}) {
  const clock = { now: Date.parse('2031-01-01T00:00:00Z') }
  const log = keepLog()
  const codeHost = createCodeHost({
    base: github.base,
    dashboardUser: 'octocat',
    now: () => new Date(clock.now),
    log,
    metrics: quietMetrics,
    ...parts,
  })
  const wait = (seconds: number) => {
    clock.now += seconds * 1000
  }
  return { codeHost, wait, clock, log }
}

const list = (codeHost: ReturnType<typeof createCodeHost>) => codeHost.listUserRepositories('octocat')

function failsWith(code: string, check: (error: ProductError) => void = () => {}) {
  return (error: unknown) => {
    assert.ok(error instanceof ProductError, String(error))
    assert.equal(error.code, code)
    check(error)
    return true
  }
}

test('a token for private repositories shows none of them', async () => {
  await using github = await startLocalCodeHost()
  const hidden = { ...wireRepository('secret-plans'), id: 7, private: true }
  const { codeHost } = setUp(github, { token: 'ghp_of_the_tests' })
  github.reply = sendJson(200, [wireRepository('hello'), hidden])
  for (const answer of [await list(codeHost), await codeHost.listOrganizationRepositories('octo-org')])
    assert.deepEqual(
      answer.data.map(({ name }) => name),
      ['hello'],
    )
  github.reply = sendJson(200, hidden)
  await assert.rejects(codeHost.getRepository('octocat', 'secret-plans'), failsWith('not_found'))
  await assert.rejects(codeHost.listContributors('octocat', 'secret-plans'), failsWith('not_found'))
})

test('a visitor gets the specified fields only', async () => {
  await using github = await startLocalCodeHost()
  const { codeHost } = setUp(github)
  const { data, source, age } = await list(codeHost)
  const { node_id: _1, private: _2, owner, ...fields } = wireRepository('hello')
  const { site_admin: _3, ...knownOwner } = owner
  assert.deepEqual(data, [{ ...fields, owner: knownOwner }])
  assert.deepEqual({ source, age }, { source: 'live', age: 0 })
  assert.equal(github.requests[0]?.url, '/users/octocat/repos?per_page=100')
})

test("all five calls use the code-hosting API's paths", async () => {
  await using github = await startLocalCodeHost()
  const { codeHost } = setUp(github)
  const user = { login: 'octocat', id: 1, company: null, unknown_field: true }
  github.reply = sendJson(200, user)
  assert.deepEqual((await codeHost.getUser('octocat')).data, { login: 'octocat', id: 1, company: null })
  github.reply = sendJson(200, wireRepository('hello'))
  assert.equal((await codeHost.getRepository('octocat', 'hello')).data.full_name, 'octocat/hello')
  github.reply = sendJson(200, [{ login: 'ada', id: 2, contributions: 3 }])
  assert.equal((await codeHost.listContributors('octocat', 'hello')).data[0]?.contributions, 3)
  github.reply = sendRepositories()
  await codeHost.listOrganizationRepositories('github')
  assert.deepEqual(
    github.requests.map(({ url }) => url.split('?')[0]),
    ['/users/octocat', '/repos/octocat/hello', '/repos/octocat/hello/contributors', '/orgs/github/repos'],
  )
})

test('FLT-10 a thousand visitors cost one call', async () => {
  await using github = await startLocalCodeHost()
  const { codeHost } = setUp(github)
  await Promise.all(Array.from({ length: 1_000 }, () => list(codeHost)))
  assert.equal(github.requests.length, 1)
  assert.equal((await list(codeHost)).source, 'cache')
})

test('FLT-10 after a minute GitHub only confirms our copy', async () => {
  await using github = await startLocalCodeHost()
  const { codeHost, wait } = setUp(github)
  await list(codeHost)
  wait(59)
  assert.deepEqual([(await list(codeHost)).source, (await list(codeHost)).age], ['cache', 59])
  wait(2)
  const confirmed = await list(codeHost)
  assert.equal(github.requests[1]?.headers['if-none-match'], '"v1"')
  assert.deepEqual([confirmed.source, confirmed.age, confirmed.data.length], ['live', 0, 1])
})

const now = Date.parse('2031-01-01T00:00:00Z') / 1000
const limits = [
  {
    name: 'a used-up window',
    reply: sendJson(403, {}, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now + 1800) }),
    seconds: 1800,
  },
  { name: 'Retry-After with 403', reply: sendJson(403, {}, { 'retry-after': '90' }), seconds: 90 },
  { name: 'Retry-After with 429', reply: sendJson(429, {}, { 'retry-after': '7' }), seconds: 7 },
  {
    name: 'Retry-After as a date',
    reply: sendJson(429, {}, { 'retry-after': 'Wed, 01 Jan 2031 00:02:00 GMT' }),
    seconds: 120,
  },
  {
    name: 'a secondary limit without a time',
    reply: sendJson(403, { message: 'You have exceeded a secondary rate limit.' }),
    seconds: 60,
  },
  {
    name: 'an answer that was the last of its window',
    reply: sendJson(200, [], { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now + 600) }),
    seconds: 600,
    succeeds: true,
  },
]
for (const { name, reply, seconds, succeeds } of limits) {
  test(`FLT-10 ${name} stops every call until it expires`, async () => {
    await using github = await startLocalCodeHost(reply)
    const { codeHost, wait } = setUp(github)
    const first = list(codeHost)
    if (succeeds) await first
    else
      await assert.rejects(
        first,
        failsWith('rate_limited', ({ headers }) => assert.equal(headers['Retry-After'], String(seconds))),
      )
    github.reply = sendJson(200, { login: 'ada', id: 1 })
    wait(seconds - 1)
    await assert.rejects(codeHost.getUser('ada'), failsWith('rate_limited'))
    assert.equal(github.requests.length, 1)
    wait(2)
    assert.equal((await codeHost.getUser('ada')).source, 'live')
  })
}

test("FLT-10 reserves a window's last calls for the dashboard", async () => {
  const headers = { 'x-ratelimit-remaining': '10', 'x-ratelimit-reset': String(now + 600) }
  await using github = await startLocalCodeHost(sendJson(200, [], headers))
  const { codeHost, wait } = setUp(github)
  await list(codeHost)
  wait(61)
  await assert.rejects(codeHost.getUser('ada'), failsWith('rate_limited'))
  assert.equal((await list(codeHost)).source, 'live')
})

test('a refused repository does not stop the others', async () => {
  await using github = await startLocalCodeHost(sendJson(403, { message: 'The history is too large.' }))
  const { codeHost } = setUp(github)
  await assert.rejects(codeHost.listContributors('torvalds', 'linux'), failsWith('forbidden'))
  github.reply = sendRepositories()
  assert.equal((await list(codeHost)).source, 'live')
})

const failures = [
  { name: '500', reply: sendJson(500, {}) },
  { name: '503', reply: sendJson(503, {}) },
  {
    name: 'a page instead of JSON',
    reply: (_: unknown, res: import('node:http').ServerResponse) => res.end('<html>'),
  },
  { name: 'a list of something else', reply: sendJson(200, [{ id: 'one' }]) },
  {
    name: 'an address that is a script',
    reply: sendJson(200, [{ ...wireRepository('x'), html_url: 'javascript:alert(1)' }]),
  },
  { name: 'a reset', reply: (_: unknown, res: import('node:http').ServerResponse) => res.socket?.destroy() },
  { name: '3 MB', reply: sendJson(200, { filler: 'x'.repeat(3 * 2 ** 20) }) },
]
for (const { name, reply } of failures) {
  test(`FLT-10 ${name}: an error without a copy, otherwise the copy with its age`, async () => {
    await using github = await startLocalCodeHost(reply)
    const { codeHost, wait } = setUp(github)
    await assert.rejects(list(codeHost), failsWith('code_host_unavailable'))
    wait(6)
    github.reply = sendRepositories()
    await list(codeHost)
    github.reply = reply
    wait(61)
    const { source, age, data } = await list(codeHost)
    assert.deepEqual([source, age, data[0]?.name], ['stale', 61, 'hello'])
    const asked = github.requests.length
    assert.equal((await list(codeHost)).source, 'stale')
    assert.equal(github.requests.length, asked, 'a host that has just failed is not called again')
  })
}

test('FLT-10 with a copy no visitor waits for GitHub', { timeout: 30_000 }, async () => {
  await using github = await startLocalCodeHost()
  const { codeHost, wait } = setUp(github, { answerTimeoutMs: 60_000, totalTimeoutMs: 60_000 })
  await list(codeHost)
  wait(61)
  github.reply = () => {}
  assert.equal((await list(codeHost)).source, 'stale')
})

test('FLT-10 abandons a silent GitHub, before and after the first byte', async () => {
  await using github = await startLocalCodeHost(() => {})
  const { codeHost } = setUp(github, { answerTimeoutMs: 100, totalTimeoutMs: 300 })
  await assert.rejects(list(codeHost), failsWith('code_host_unavailable'))
  github.reply = (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.write('[')
  }
  await assert.rejects(codeHost.getUser('ada'), failsWith('code_host_unavailable'))
})

test('FLT-10 runs at most ten calls at once', async () => {
  await using github = await startLocalCodeHost()
  const { codeHost } = setUp(github)
  const ten = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  github.reply = async (request, response) => {
    most = Math.max(most, ++running)
    if (running === 10) ten.resolve()
    await ten.promise
    await delay(10)
    running--
    sendJson(200, { login: 'x', id: 1 })(request, response)
  }
  await Promise.all(Array.from({ length: 40 }, (_, index) => codeHost.getUser(`user${index}`)))
  assert.equal(most, 10)
})

test('FLT-10 drops a revoked token and still lists', async () => {
  await using github = await startLocalCodeHost((request, response) => {
    const reply = request.headers.authorization ? sendJson(401, {}) : sendRepositories()
    reply(request, response)
  })
  const { codeHost, log } = setUp(github, { token: 'TEST_ONLY_token' })
  assert.equal((await list(codeHost)).source, 'live')
  assert.equal(github.requests[0]?.headers.authorization, 'Bearer TEST_ONLY_token')
  assert.ok(log.lines.some(({ level }) => level === 'error'))
  assert.ok(!JSON.stringify(log.lines).includes('TEST_ONLY_token'))
})

test('FLT-10 repeats running calls with a revoked token, and reports it once', async () => {
  await using github = await startLocalCodeHost((request, response) => {
    const reply = request.headers.authorization ? sendJson(401, {}) : sendJson(200, { login: 'x', id: 1 })
    setTimeout(() => reply(request, response), 20)
  })
  const { codeHost, log } = setUp(github, { token: 'TEST_ONLY_token' })
  await Promise.all(Array.from({ length: 30 }, (_, index) => codeHost.getUser(`user${index}`)))
  assert.equal(log.lines.filter(({ level }) => level === 'error').length, 1)
})

test('an unknown name is "not found", and logs no warning', async () => {
  await using github = await startLocalCodeHost(sendJson(404, {}))
  const { codeHost, log } = setUp(github)
  await assert.rejects(codeHost.getUser('unknown'), failsWith('not_found'))
  assert.deepEqual(log.lines, [])
})

test('an empty repository has no contributors', async () => {
  await using github = await startLocalCodeHost((_request, response) => response.writeHead(204).end())
  const { codeHost } = setUp(github)
  assert.deepEqual((await codeHost.listContributors('octocat', 'empty')).data, [])
})
