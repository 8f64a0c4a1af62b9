import assert from 'node:assert/strict'
import { fieldMessageIds, messageIds } from '../../../src/testing/answers.ts'
import { testOn } from '../../kit/databases.ts'
import { type BrokenProvider, json } from '../../servers/broken-provider.ts'
import { errorOf, formOf, handleCallback, withBroken } from '../../servers/oidc-kit.ts'

// SEC-32.

const USER = { id: 4_294_967_297, login: 'octo', name: 'Octo', email: 'public@example.com' }
const PRIMARY = { email: 'octo@example.com', primary: true, verified: true }
const SECOND = { email: 'second@example.com', primary: false, verified: true }
const NO_REPLY = { email: '1+octo@users.noreply.github.com', primary: true, verified: true }

testOn('SQLite', 'SEC-26 SEC-32 identifies a GitHub user by id, not by login', async () => {
  const { identity, broken } = await withGitHub()
  const browser = identity.browser()
  await handleCallback(browser, broken)
  const account = (await browser.whoami()).body.identity
  const [shown] = (await identity.admin('GET', '/admin/identities?include_credential=oidc')).body
  assert.deepEqual(shown.credentials.oidc.identifiers, ['acme:4294967297'])
  const renamed = identity.browser()
  broken.replies.set('/user', () => json({ ...USER, login: 'renamed' }))
  await handleCallback(renamed, broken)
  assert.equal((await renamed.whoami()).body.identity.id, account.id)
  broken.replies.set('/user', () => json({ ...USER, id: 7 }))
  broken.replies.set('/user/emails', () =>
    json([SECOND, { ...SECOND, email: 'new@example.com', primary: true }]),
  )
  const other = identity.browser()
  await handleCallback(other, broken)
  assert.notEqual((await other.whoami()).body.identity.id, account.id)
})

testOn('SQLite', 'SEC-32 uses the primary address, verified only if GitHub verified it', async () => {
  const many = Array.from({ length: 99 }, (_, index) => ({ ...SECOND, email: `mail-${index}@example.com` }))
  for (const [mails, address, verified] of [
    [[SECOND, PRIMARY], 'octo@example.com', true],
    [[{ ...PRIMARY, verified: false }, SECOND], 'octo@example.com', false],
    [[...many, PRIMARY], 'octo@example.com', true],
  ] as const) {
    const { identity, broken } = await withGitHub()
    broken.replies.set('/user/emails', () => json(mails))
    const browser = identity.browser()
    await handleCallback(browser, broken)
    const { identity: account } = (await browser.whoami()).body
    assert.deepEqual([account.traits.email, account.verifiable_addresses[0].verified], [address, verified])
  }
})

testOn('SQLite', 'SEC-32 asks the user for an address if no primary one is readable', async () => {
  for (const [what, answer] of [
    ['no address', json([])],
    ['no primary one', json([SECOND])],
    ['a no-reply one', json([NO_REPLY, SECOND])],
    ['not allowed', json({ message: 'Forbidden' }, 403)],
    ['not there', json({ message: 'Not Found' }, 404)],
    ['no list', json({ email: 'octo@example.com' })],
    ['of other types', json([{ email: 7, primary: 'yes', verified: 1 }])],
  ] as const) {
    const { identity, broken } = await withGitHub()
    broken.replies.set('/user/emails', () => answer.clone())
    const browser = identity.browser()
    const form = await formOf(browser, await handleCallback(browser, broken))
    assert.deepEqual(fieldMessageIds(form, 'traits.email'), [4000002], what)
  }
})

testOn('SQLite', 'SEC-32 requests a scope again that the user withdrew on GitHub', async () => {
  for (const scope of ['', 'read:user', undefined]) {
    const { identity, broken } = await withGitHub()
    broken.replies.set('/login/oauth/access_token', () =>
      json({ access_token: 't', token_type: 'bearer', scope }),
    )
    const browser = identity.browser()
    assert.deepEqual(messageIds(await formOf(browser, await handleCallback(browser, broken))), [4000001])
    assert.ok(!broken.asked.includes('/user'), 'nothing is read')
  }
})

testOn(
  'SQLite',
  'SEC-32 an invalid response from GitHub signs no one in and shows how to continue',
  async () => {
    for (const [path, answer] of [
      ['/user/emails', json({ message: 'busy' }, 503)],
      ['/user/emails', new Response('[{"email":')],
      ['/user', json({ message: 'Bad credentials' }, 401)],
      ['/user', json({ ...USER, id: [4294967297] })],
      ['/user', json({ ...USER, id: 2 ** 53 + 2 })],
      ['/user', json({ ...USER, id: 0 })],
      ['/user', json({ login: 'octo' })],
      ['/login/oauth/access_token', json({ error: 'bad_verification_code' })],
    ] as const) {
      const { identity, broken } = await withGitHub()
      broken.replies.set(path, () => answer.clone())
      const browser = identity.browser()
      const error = await errorOf(browser, await handleCallback(browser, broken))
      assert.equal(error.id, 'upstream_error', path)
      assert.match(error.reason, /try again/)
      assert.equal((await browser.whoami()).status, 401)
    }
  },
)

async function withGitHub() {
  const made = await withBroken('github', { label: 'GitHub' })
  const { replies }: BrokenProvider = made.broken
  const granted = { access_token: 'token', token_type: 'bearer', scope: 'read:user,user:email' }
  replies.set('/login/oauth/access_token', () => json(granted))
  replies.set('/user', () => json(USER))
  replies.set('/user/emails', () => json([PRIMARY]))
  return made
}
