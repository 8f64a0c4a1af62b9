import assert from 'node:assert/strict'
import { kratos } from '@ostiary/kratos'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, standard } from '../../kit/kit.ts'

const withWords = async (texts: 'kratos' | 'own') =>
  await createTestIdentity({ selfservice: { texts } }, { kratos })
const CSRF =
  'Please retry the flow and optionally clear your cookies. The request was rejected to protect you'

/** Each request, with the message and the beginning of the reason of Ory Kratos. */
test('texts: kratos has the messages and reasons of errors, too', async () => {
  const identity = await withWords('kratos')
  const stranger = identity.browser()
  const ada = await identity.signedIn('ada@example.com')
  const login = await stranger.open('login')
  const cases = [
    [
      await stranger.whoami(),
      'The request could not be authorized',
      'No valid session credentials found in the request.',
    ],
    [
      await stranger.open('settings'),
      'request does not have a valid authentication session',
      'No active session was found in this request.',
    ],
    [
      await ada.open('login'),
      'you are already logged in',
      'A valid session was detected and thus login is not possible. Did you forget to set `?refresh=true`?',
    ],
    [
      await ada.open('registration'),
      'you are already logged in',
      'A valid session was detected and thus registration is not possible.',
    ],
    [
      await stranger.open('login', '?return_to=https://evil.example/'),
      'The request was malformed or contained invalid parameters',
      'return_to is not an allowed URL',
    ],
    [
      await stranger.submit(
        login,
        { method: 'password', identifier: 'a', password: 'b' },
        { headers: { cookie: 'other=1' } },
      ),
      'the request was rejected to protect you from Cross-Site-Request-Forgery',
      CSRF,
    ],
    [
      await identity.admin('GET', `/admin/identities/${crypto.randomUUID()}`),
      'Unable to locate the resource',
      '',
    ],
  ] as const
  for (const [{ body }, message, reason] of cases) {
    assert.ok('error' in body, message)
    const { error } = body as unknown as { error: { message: string; reason?: string } }
    assert.equal(error.message, message)
    assert.ok((error.reason ?? '').startsWith(reason), error.reason)
  }
  identity.advance(2 * 3600_000)
  const read = await stranger.get(`/self-service/login/flows?id=${login.body.id}`)
  assert.match(
    read.body.error.reason,
    /^The login flow has expired\. Redirect the user to the login flow init/,
  )
  const late = await stranger.submit(login, { method: 'password', identifier: 'a', password: 'b' })
  const { error } = late.body as unknown as { error: { message: string; reason: string } }
  assert.equal(error.message, 'self-service flow expired')
  assert.match(error.reason, /^The self-service flow expired \d+\.\d\d minutes ago, initialize a new one\.$/)
})

test('texts: kratos has the reasons of flows that are disabled', async () => {
  const flows = { recovery: { enabled: false }, verification: { enabled: false } }
  const identity = await createTestIdentity({ selfservice: { texts: 'kratos', flows } }, { kratos })
  for (const [kind, name] of [
    ['recovery', 'Recovery'],
    ['verification', 'Verification'],
  ] as const) {
    const { status, body } = await identity.browser().open(kind)
    assert.equal(status, 400)
    const { error } = body as unknown as { error: { reason: string } }
    assert.equal(error.reason, `${name} is not allowed because it was disabled.`)
  }
})

test('texts: own keeps the words of this service', async () => {
  const { body } = await (await withWords('own')).browser().whoami()
  assert.equal(body.error.reason, 'This request is not authenticated.')
})

test('texts: kratos needs @ostiary/kratos', async () => {
  const refusal =
    /^ConfigError: selfservice\.texts: kratos, the default of Ory Kratos, needs @ostiary\/kratos\. .*or set own/
  await assert.rejects(createTestIdentity({ selfservice: { texts: 'kratos' } }), refusal)
  const identity = await createTestIdentity()
  await assert.rejects(
    identity.reconfigure({ ...standard({ selfservice: { texts: 'kratos' } }), dsn: identity.config.dsn }),
    refusal,
  )
})
