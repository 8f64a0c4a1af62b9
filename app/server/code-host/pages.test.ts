import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProductError } from '@ostiary/server'
import type { LocalCodeHost } from '@ostiary/server/testing/local-code-host'
import { sendJson, startLocalCodeHost, wireRepository } from '@ostiary/server/testing/local-code-host'
import { keepLog, quietMetrics } from '@ostiary/server/testing/quiet-log'
import { createCodeHost } from './code-host.ts'

function setUp({ base }: LocalCodeHost) {
  const clock = { now: Date.parse('2031-01-01T00:00:00Z') }
  const now = () => new Date(clock.now)
  const parts = { base, dashboardUser: 'octocat', now, log: keepLog(), metrics: quietMetrics }
  const token = 'ghp_of_the_tests'
  return { codeHost: createCodeHost({ ...parts, token }), wait: (ms: number) => (clock.now += ms) }
}

/** As GitHub: a list of `count`, whose further pages have another path. */
function sendPages(count: number, make: (index: number) => object): LocalCodeHost['reply'] {
  return (request, response) => {
    const { host } = request.headers
    const url = new URL(request.url ?? '', `http://${host}`)
    const page = Number(url.searchParams.get('page') ?? 1)
    const etag = `"page ${page}"`
    if (request.headers['if-none-match'] === etag) return sendJson(304, undefined)(request, response)
    const size = 100
    const items = Array.from({ length: count }, (_, index) => make(index)).slice(
      (page - 1) * size,
      page * size,
    )
    const link = (number: number, rel: string) =>
      `<http://${host}/user/583231/repos?per_page=100&page=${number}>; rel="${rel}"`
    const last = Math.ceil(count / size)
    const next = page < last ? [link(page + 1, 'next'), link(last, 'last')] : []
    const previous = page > 1 ? [link(page - 1, 'prev')] : []
    const Link = [...previous, ...next].join(', ')
    sendJson(200, items, { ETag: etag, ...(Link && { Link }) })(request, response)
  }
}

const repository = (index: number) => ({ ...wireRepository(`repository-${index}`), id: index })

test('lists all pages, with one call for each confirmed copy', async () => {
  await using github = await startLocalCodeHost(sendPages(250, repository))
  const { codeHost, wait } = setUp(github)
  const first = await codeHost.listUserRepositories('octocat')
  assert.deepEqual([first.data.length, first.source, first.isTruncated], [250, 'live', undefined])
  assert.equal(new Set(first.data.map(({ id }) => id)).size, 250)
  assert.equal((await codeHost.listUserRepositories('octocat')).source, 'cache')
  assert.equal(github.requests.length, 3)
  wait(61_000)
  assert.equal((await codeHost.listUserRepositories('octocat')).data.length, 250)
  assert.deepEqual(
    github.requests.slice(3).map(({ headers }) => headers['if-none-match']),
    ['"page 1"', '"page 2"', '"page 3"'],
  )
  assert.equal((await codeHost.listOrganizationRepositories('octo-org')).data.length, 250)
})

test('lists all contributors', async () => {
  const contributors = sendPages(150, (index) => ({ login: `user-${index}`, id: index, contributions: 1 }))
  await using github = await startLocalCodeHost((request, response) =>
    request.url === '/repos/octocat/hello'
      ? sendJson(200, wireRepository('hello'))(request, response)
      : contributors(request, response),
  )
  assert.equal((await setUp(github).codeHost.listContributors('octocat', 'hello')).data.length, 150)
})

test('FLT-10 reads a bounded number of pages, and says that there are more', async () => {
  await using github = await startLocalCodeHost(sendPages(1_234, repository))
  const { data, isTruncated } = await setUp(github).codeHost.listUserRepositories('octocat')
  assert.deepEqual([data.length, isTruncated, github.requests.length], [1_000, true, 10])
})

test('one that moved to the next page meanwhile is listed once', async () => {
  await using github = await startLocalCodeHost(sendPages(150, (index) => repository(Math.max(1, index))))
  assert.equal((await setUp(github).codeHost.listUserRepositories('octocat')).data.length, 149)
})

for (const status of [301, 302, 307, 308])
  test(`follows ${status} of a renamed repository`, async () => {
    await using github = await startLocalCodeHost((request, response) =>
      request.url === '/repositories/1296269'
        ? sendJson(200, wireRepository('new-name'))(request, response)
        : sendJson(status, {}, { Location: '/repositories/1296269' })(request, response),
    )
    const { data } = await setUp(github).codeHost.getRepository('octocat', 'old-name')
    assert.equal(data.full_name, 'octocat/new-name')
    assert.equal(github.requests[1]?.headers.authorization, 'Bearer ghp_of_the_tests')
  })

test('FLT-10 neither a redirect nor a next page leads to another host', async () => {
  await using other = await startLocalCodeHost()
  await using github = await startLocalCodeHost()
  const { codeHost } = setUp(github)
  for (const target of [
    `${other.base}/x`,
    `${github.base}.evil.test/x`,
    '//evil.test',
    'file:///etc/passwd',
    '',
  ]) {
    github.reply = sendJson(301, {}, { Location: target })
    await assert.rejects(codeHost.getRepository('octocat', `r${target.length}`), isUnknown)
  }
  github.reply = sendJson(200, [wireRepository('hello')], { Link: `<${other.base}/x>; rel="next"` })
  assert.equal((await codeHost.listUserRepositories('octocat')).data.length, 1)
  assert.equal(other.requests.length, 0)
})

test('FLT-10 gives up in a circle of redirects', async () => {
  await using github = await startLocalCodeHost(sendJson(301, {}, { Location: '/repos/octocat/again' }))
  await assert.rejects(setUp(github).codeHost.getRepository('octocat', 'old'), isUnknown)
  assert.equal(github.requests.length, 4)
})

function isUnknown(error: unknown): boolean {
  return error instanceof ProductError && error.code === 'not_found'
}
