import assert from 'node:assert/strict'
import { test } from '../../kit/databases.ts'
import { cookieHeld, statusesOf, TOKENIZER } from '../../kit/held-credentials.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import { ADA, EVE } from '../../kit/recovery-kit.ts'

const EMBEDS: Record<string, Record<string, string>> = {
  'a link': { accept: 'text/html', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  'an image': { accept: 'image/*', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  'a script': { accept: '*/*', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  'a form': { accept: 'text/html', origin: 'http://evil.test', 'sec-fetch-site': 'cross-site' },
  'a neighbour': { accept: '*/*', origin: 'http://evil.app.test', 'sec-fetch-site': 'same-site' },
}

const PATHS = ['/self-service/logout', '/self-service/logout/browser', '/self-service/logout/api']

test('SEC-33 embedded content signs no one out', async () => {
  const identity = await createTestIdentity(TOKENIZER)
  for (const email of [ADA, EVE]) await identity.user(email)
  const [ada, eve] = [identity.browser(), identity.browser()]
  await ada.signIn(ADA)
  await eve.signIn(EVE)
  const { logout_token } = (await eve.get('/self-service/logout/browser')).body
  const held = cookieHeld(ada)
  const queries = [
    '',
    '?token=',
    `?token=${logout_token}`,
    `?session_token=${held.cookie}`,
    '?token=x&token=y',
  ]
  const addresses = PATHS.flatMap((path) => queries.map((query) => path + query))
  for (const [what, headers] of Object.entries(EMBEDS)) {
    const sending = { headers: { ...headers, ...held } }
    for (const address of addresses) {
      await ada.send('GET', address, undefined, sending)
      if (what === 'a form') await ada.send('POST', address, { token: logout_token }, sending)
      assert.deepEqual(await statusesOf(identity, held), [200], `${what}: ${address}`)
    }
  }
})

test('SEC-33 only the own site can read the logout token', async () => {
  const identity = await createTestIdentity()
  const browser = await identity.signedIn(ADA)
  const told = await browser.get('/self-service/logout/browser', { headers: { origin: 'http://evil.test' } })
  assert.equal(told.headers.get('access-control-allow-origin'), null)
  assert.match(told.headers.get('cache-control') ?? '', /no-store/)
})

test('SEC-33 an app signs out with the token in its body', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const [app, browser] = [identity.app(), identity.browser()]
  await app.signIn(ADA)
  await browser.signIn(ADA)
  const token = app.token
  const path = '/self-service/logout/api'
  for (const body of [{}, { session_token: '' }, { session_token: [token] }, { token }, [token]]) {
    for (const headers of [{}, cookieHeld(browser), { authorization: `Bearer ${token}` }]) {
      const refused = await app.send('DELETE', path, body, headers)
      assert.ok([400, 403].includes(refused.status), JSON.stringify(body))
    }
  }
  const inQuery = await app.send('DELETE', `${path}?session_token=${token}`, {})
  assert.equal(inQuery.status, 403)
  const asForm = await app.send('DELETE', path, { session_token: token }, { 'content-type': 'text/plain' })
  assert.equal(asForm.status, 400)
  assert.equal((await app.send('GET', '/sessions/whoami')).status, 200)
  assert.equal((await app.send('DELETE', path, { session_token: token })).status, 204)
  assert.equal((await app.send('GET', '/sessions/whoami')).status, 401)
  assert.equal((await browser.whoami()).status, 200)
})

test('the logout URL with a session token ends that session', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const app = identity.app()
  await app.signIn(ADA)
  const { logout_url } = (await app.send('GET', '/self-service/logout/browser')).body
  const done = await app.send('GET', logout_url)
  assert.equal(done.status, 204)
  assert.equal(
    done.headers.getSetCookie().some((cookie) => cookie.startsWith('ory_kratos_session=')),
    false,
  )
  assert.equal((await app.send('GET', '/sessions/whoami')).status, 401)
})
