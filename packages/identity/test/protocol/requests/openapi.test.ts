import assert from 'node:assert/strict'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'

async function listRoutes(identity: TestIdentity): Promise<string[]> {
  const { body } = await identity.app().send('GET', '/openapi.json')
  return Object.entries(body.paths as Record<string, object>).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((name) => name !== 'servers')
      .map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
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
  const listed = await listRoutes(identity)
  assert.deepEqual([...new Set(mounted)].sort(), listed.sort())
})
