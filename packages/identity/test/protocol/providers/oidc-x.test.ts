import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { messageIds } from '../../../src/testing/answers.ts'
import { testOn } from '../../kit/databases.ts'
import { json } from '../../servers/broken-provider.ts'
import {
  accountOf,
  askProvider,
  errorOf,
  formOf,
  leave,
  vouchingMapper,
  withBroken,
} from '../../servers/oidc-kit.ts'

// OAuth 1.0a.

testOn('SQLite', 'SEC-26 X identifies users by number and verifies no address', async () => {
  const { identity, broken, callback } = await withX({ mapper: vouchingMapper })
  const browser = identity.browser()
  const asked = await askProvider(browser, broken)
  assert.equal(asked.href, 'https://api.twitter.com/oauth/authenticate?oauth_token=request-1')
  await browser.navigate(`${callback()}&oauth_token=request-1&oauth_verifier=yes`)
  assert.equal((await accountOf(browser)).verified, false)
  const [shown] = (await identity.admin('GET', '/admin/identities?include_credential=oidc')).body
  assert.deepEqual(shown.credentials.oidc.identifiers, ['acme:2244994945'])
  assert.equal(shown.traits.email, 'grace@example.com')
})

testOn('SQLite', 'X asks for the password again to confirm an account', async () => {
  const { identity, broken, callback } = await withX()
  const browser = identity.browser()
  await askProvider(browser, broken)
  await browser.navigate(`${callback()}&oauth_token=request-1&oauth_verifier=yes`)
  const confirming = await leave(browser, await browser.open('login', '?refresh=true'), 'acme')
  assert.equal(new URL(confirming).searchParams.get('force_login'), 'true')
})

testOn('SQLite', 'SEC-25 X’s response to another request signs no one in', async () => {
  for (const query of [
    '&oauth_token=request-2&oauth_verifier=yes',
    '&oauth_token=request-1',
    '&denied=request-1',
  ]) {
    const { identity, broken, callback } = await withX()
    const browser = identity.browser()
    await askProvider(browser, broken)
    const form = await formOf(browser, await browser.navigate(callback() + query))
    assert.deepEqual(messageIds(form), [4000001], query)
    assert.ok(!broken.asked.includes('/oauth/access_token'), 'nothing is exchanged')
  }
})

testOn('SQLite', 'an invalid response from X signs no one in', async () => {
  for (const [path, reply] of [
    ['/oauth/access_token', new Response('Invalid request token', { status: 401 })],
    ['/oauth/access_token', new Response('oauth_token=only')],
    ['/1.1/account/verify_credentials.json', json({ id: 2_244_994_945, screen_name: 'grace' })],
  ] as const) {
    const { identity, broken, callback } = await withX()
    broken.replies.set(path, () => reply.clone())
    const browser = identity.browser()
    await askProvider(browser, broken)
    const back = await browser.navigate(`${callback()}&oauth_token=request-1&oauth_verifier=yes`)
    assert.equal((await errorOf(browser, back)).id, 'upstream_error')
  }
})

async function withX(more: object = {}) {
  const made = await withBroken('x', { scope: ['email'], ...more })
  const { replies } = made.broken
  let callback = ''
  replies.set('/oauth/request_token', (request) => {
    callback = fieldOf(request, 'oauth_callback')
    return new Response('oauth_token=request-1&oauth_token_secret=s1&oauth_callback_confirmed=true')
  })
  replies.set('/oauth/access_token', (request) => {
    const fields = [fieldOf(request, 'oauth_token'), fieldOf(request, 'oauth_verifier')]
    assert.deepEqual(fields, ['request-1', 'yes'])
    return new Response('oauth_token=access-1&oauth_token_secret=s2&user_id=2244994945&screen_name=grace')
  })
  replies.set('/1.1/account/verify_credentials.json', (request) => {
    assert.equal(fieldOf(request, 'oauth_token'), 'access-1')
    assert.match(request.url ?? '', /include_email=true/)
    return json({ id_str: '2244994945', name: 'Grace', screen_name: 'grace', email: 'grace@example.com' })
  })
  return { ...made, callback: () => callback }
}

function fieldOf({ headers }: IncomingMessage, name: string): string {
  const [, value = ''] = new RegExp(`${name}="([^"]*)"`).exec(headers.authorization ?? '') ?? []
  return decodeURIComponent(value)
}
