import assert from 'node:assert/strict'
import { test } from '../../kit/databases.ts'
import type { TestIdentity } from '../../kit/kit.ts'
import { createTestIdentity } from '../../kit/kit.ts'

const UNKNOWN_ID = '8b1b8a3f-4ec8-4a29-9c4e-0a2f6f1e1d11'

interface Operation {
  readonly parameters: readonly object[]
  readonly responses: Readonly<Record<string, object>>
}

async function operationsOf(identity: TestIdentity): Promise<Map<string, Operation>> {
  const { body } = await identity.app().send('GET', '/openapi.json')
  const paths = Object.entries(body.paths as Record<string, Record<string, Operation>>)
  return new Map(
    paths.flatMap(([path, { servers: _, ...operations }]) =>
      Object.entries(operations).map(([method, operation]) => {
        return [`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, operation] as const
      }),
    ),
  )
}

/** Kratos compatibility: these answer 404, redirect to the other port, or repeat another route. */
const unlisted = {
  public: [
    /^[A-Z]+ (\/admin)?\/(\*|version|metrics|identities|recovery|courier|sessions\/:id\/extend)/,
    /^GET \/admin\/schemas/,
    /^(POST|PUT|PATCH|DELETE|OPTIONS) \/sessions\/whoami$/,
  ],
  admin: [/^[A-Z]+ (?!\/admin\/)/, /^[A-Z]+ \/admin\/(self-service|schemas|sessions\/whoami)/],
}

test('the OpenAPI document lists every route of both ports and no other', async () => {
  const identity = await createTestIdentity()
  const mounted = (['public', 'admin'] as const).flatMap((port) =>
    identity[`${port}App`].routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path}`)
      .filter((route) => !unlisted[port].some((pattern) => pattern.test(route))),
  )
  const listed = [...(await operationsOf(identity)).keys()]
  assert.deepEqual([...new Set(mounted)].sort(), listed.sort())
})

test('the OpenAPI document names the status that a request without parameters gets', async () => {
  const identity = await createTestIdentity()
  for (const [route, { responses }] of await operationsOf(identity)) {
    const [method = '', path = ''] = route.split(' ')
    const url = path.replaceAll(/:\w+/g, UNKNOWN_ID)
    const answer = await (path.startsWith('/admin/')
      ? identity.admin(method, url)
      : identity.app().send(method, url))
    assert.ok(Object.keys(responses).includes(String(answer.status)), `${route}: ${answer.status}`)
  }
})

test('the OpenAPI document names the status of a write after another one', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const [{ id }] = (await identity.admin('GET', '/admin/identities')).body
  const operations = await operationsOf(identity)
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const body = { PUT: { schema_id: 'default', state: 'active', traits: {} }, PATCH: [] }[method]
    const answer = await identity.admin(method, `/admin/identities/${id}`, body, { 'if-match': '"old"' })
    assert.equal(answer.status, 412, method)
    const { responses } = operations.get(`${method} /admin/identities/:id`) ?? { responses: {} }
    assert.ok('412' in responses, method)
  }
})
