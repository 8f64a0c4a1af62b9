import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hono, type MiddlewareHandler } from 'hono'
import { roles as productRoles } from '../../../../app.config.ts'
import { errorResponse, ProductError } from '../http/errors.ts'
import { readSession } from '../identity-gateway/remote-gateway.ts'
import { createSessionCheck, type WithSession } from './session.ts'

/** Every token is valid, so a refused one was never verified. */
function setUp(
  whoami: () => Response = () =>
    Response.json({ active: true, id: 'session', identity: { id: 'person', traits: {} } }),
) {
  const asked: Headers[] = []
  const check = createSessionCheck(
    {
      checkSession: async (headers) => {
        asked.push(headers)
        return await readSession(whoami())
      },
    },
    async () => ({ sub: 'person', sid: 'session' }),
    productRoles,
  )
  return { ...check, asked }
}

/** The answer of a route behind the check. */
async function ask(check: MiddlewareHandler<WithSession>, headers = new Headers()): Promise<Response> {
  const app = new Hono().get('/', check, (c) => c.json(c.var.session ?? null))
  app.onError((error) =>
    error instanceof ProductError ? errorResponse(error) : new Response(null, { status: 500 }),
  )
  return await app.request('/', { headers })
}

const signedIn = () => new Headers({ cookie: 'ory_kratos_session=x' })

const jwt = 'aaaa.bbbb.cccc'
const carriers: [string, [string, string][], number][] = [
  ['the cookie', [['cookie', `a=b; user_jwt=${jwt}`]], 200],
  ['Authorization: Bearer', [['authorization', `Bearer ${jwt}`]], 200],
  ['bearer in any case', [['authorization', `bEaReR ${jwt}`]], 200],
  ['Basic', [['authorization', `Basic ${jwt}`]], 401],
  ['Token', [['authorization', `Token ${jwt}`]], 401],
  ['no scheme', [['authorization', jwt]], 401],
  ['an empty Authorization', [['authorization', '']], 401],
  ['Bearer with two spaces', [['authorization', `Bearer  ${jwt}`]], 401],
  ['Bearer with two tokens', [['authorization', `Bearer ${jwt} ${jwt}`]], 401],
  [
    'two Authorization headers',
    [
      ['authorization', `Bearer ${jwt}`],
      ['authorization', `Bearer ${jwt}`],
    ],
    401,
  ],
  [
    'Basic beside a good cookie',
    [
      ['authorization', `Basic ${jwt}`],
      ['cookie', `user_jwt=${jwt}`],
    ],
    401,
  ],
  ['two cookies of the name', [['cookie', `user_jwt=${jwt}; user_jwt=${jwt}`]], 401],
  ['a cookie whose name has a space of Unicode before it', [['cookie', `\u00a0user_jwt=${jwt}`]], 401],
  ['a cookie of another case', [['cookie', `User_JWT=${jwt}`]], 401],
  ['another header', [['x-user-jwt', jwt]], 401],
  ['nothing', [], 401],
]
for (const [name, headers, expected] of carriers) {
  test(`SEC-52 a user_jwt as ${name}: ${expected}`, async () => {
    const { requireUserJwt } = setUp()
    const sent = new Headers()
    for (const [header, value] of headers) sent.append(header, value)
    assert.equal((await ask(requireUserJwt(), sent)).status, expected)
  })
}

const replies: [string, () => Response, number][] = [
  [
    'an active session',
    () => Response.json({ active: true, id: 'session', identity: { id: 'person', traits: {} } }),
    200,
  ],
  ['an ended session', () => Response.json({ active: false }), 401],
  ['no session', () => Response.json({}, { status: 401 }), 401],
  ['a missing second factor', () => Response.json({}, { status: 403 }), 403],
  ['an error', () => Response.json({}, { status: 500 }), 502],
  ['that it is busy', () => Response.json({}, { status: 503 }), 503],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: '/' } }), 502],
]
for (const [name, whoami, expected] of replies) {
  test(`when the identity service answers ${name}, the caller gets ${expected}`, async () => {
    assert.equal((await ask(setUp(whoami).require(), signedIn())).status, expected)
  })
}

test("the identity service gets only the caller's credentials", async () => {
  const { require, asked } = setUp()
  await ask(require(), new Headers({ cookie: 'a=b', 'x-forwarded-host': 'evil.example', origin: 'null' }))
  assert.deepEqual(Object.fromEntries(asked[0] ?? []), { accept: 'application/json', cookie: 'a=b' })
})

test('a caller without a credential costs no call', async () => {
  const { require, asked } = setUp()
  assert.equal((await ask(require())).status, 401)
  assert.equal(asked.length, 0)
})

test('requires the role of the user who has it now', async () => {
  const [role] = productRoles
  let roles: string[] = [role, 'former']
  const { require } = setUp(() =>
    Response.json({
      active: true,
      id: 'session',
      identity: { id: 'person', traits: {}, metadata_public: { roles } },
    }),
  )
  assert.equal((await ask(require(role), signedIn())).status, 200)
  assert.equal((await ask(require(role))).status, 401)
  for (roles of [['former'], []]) assert.equal((await ask(require(role), signedIn())).status, 403)
})

test('a route gets a copy of the traits, and nothing else of the identity', async () => {
  const traits = { email: 'ada@example.com', name: { first: 'Ada' } }
  const identity = { id: 'person', traits, metadata_public: { roles: [] }, state: 'active' }
  const checkSession = async () => ({ status: 200, session: { id: 'session', identity } })
  const check = createSessionCheck({ checkSession }, async () => undefined, productRoles)
  const { identity: shown } = await check.findLiveSession(signedIn())
  assert.deepEqual(shown, { id: 'person', traits })
  Object.assign(shown.traits.name as object, { first: 'Eve' })
  assert.equal(traits.name.first, 'Ada')
})
