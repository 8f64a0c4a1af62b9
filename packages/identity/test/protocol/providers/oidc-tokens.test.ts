import assert from 'node:assert/strict'
import { messageIds } from '../../../src/testing/answers.ts'
import { testOn } from '../../kit/databases.ts'
import { type BrokenProvider, idToken, newKey } from '../../servers/broken-provider.ts'
import type { Claims } from '../../servers/oidc-kit.ts'
import { errorOf, formOf, handleCallback, vouchingMapper, withBroken } from '../../servers/oidc-kit.ts'

// SEC-26.

const kinds = ['generic', 'google'] as const

const HOUR = 3600
const soon = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

const refused: readonly (readonly [what: string, spoil: (broken: BrokenProvider) => void])[] = [
  ['from another issuer', claiming({ iss: 'https://evil.test' })],
  ['for another site', claiming({ aud: 'another-app' })],
  ['for several sites, given to another', claiming({ aud: ['my-app', 'another-app'], azp: 'another-app' })],
  ['that has expired', claiming({ iat: soon(-2 * HOUR), exp: soon(-HOUR) })],
  ['that is not valid yet', claiming({ nbf: soon(HOUR) })],
  ['with the nonce of another sign-in', claiming({ nonce: 'another' })],
  ['without a nonce', claiming({ nonce: undefined })],
  ['without a subject', claiming({ sub: undefined })],
  ['with an empty subject', claiming({ sub: '' })],
  ['with a subject of a thousand characters', claiming({ sub: 'x'.repeat(1000) })],
  ['with a subject that no database stores', claiming({ sub: 'a\u0000b' })],
  ['without a signature', (broken) => Object.assign(broken, { header: { alg: 'none' } })],
  [
    'signed with the published key as a secret',
    (broken) => {
      broken.header = { alg: 'HS256', kid: 'one' }
      broken.signWith = JSON.stringify(broken.keys[0])
    },
  ],
  [
    "signed with another provider's key under the same name",
    (broken) => Object.assign(broken, { signWith: newKey('one').privateKey }),
  ],
  [
    'signed with a key that is not published',
    (broken) => {
      broken.signWith = newKey('two').privateKey
      broken.header = { alg: 'RS256', kid: 'two' }
    },
  ],
]

for (const kind of kinds) {
  testOn('SQLite', `SEC-26 an invalid token of ${kind} signs no one in`, async () => {
    for (const [what, spoil] of refused) {
      const { identity, broken } = await withBroken(kind)
      spoil(broken)
      const browser = identity.browser()
      const back = await handleCallback(browser, broken)
      assert.equal(back.status, 303, what)
      await assertRefused(browser, back, what)
      assert.equal((await browser.whoami()).status, 401, what)
      assert.deepEqual((await identity.admin('GET', '/admin/identities')).body, [], what)
    }
  })

  testOn(
    'SQLite',
    `SEC-26 the same subject of ${kind} is the same user, despite another address`,
    async () => {
      const { identity, broken } = await withBroken(kind)
      const [before, after] = [identity.browser(), identity.browser()]
      await handleCallback(before, broken)
      broken.claims = { ...broken.claims, email: 'new@example.com' }
      await handleCallback(after, broken)
      const account = (await after.whoami()).body.identity
      assert.equal(account.id, (await before.whoami()).body.identity.id)
      assert.equal(account.traits.email, 'grace@example.com')
      broken.claims = { ...broken.claims, sub: 'another user', email: 'grace@example.com' }
      const stranger = identity.browser()
      assert.deepEqual(messageIds(await formOf(stranger, await handleCallback(stranger, broken))), [1010016])
    },
  )
}

testOn(
  'SQLite',
  'SEC-26 only email_verified verifies an address of Google, whatever a mapper lists',
  async () => {
    for (const [email_verified, verified] of [
      [true, true],
      ['true', true],
      [false, false],
      ['false', false],
      [0, false],
      [1, false],
      [undefined, false],
    ] as const) {
      const { identity, broken } = await withBroken('google', { mapper: vouchingMapper })
      broken.claims = { ...broken.claims, email_verified }
      const browser = identity.browser()
      await handleCallback(browser, broken)
      const [address] = (await browser.whoami()).body.identity.verifiable_addresses
      assert.equal(address.verified, verified, String(email_verified))
    }
  },
)

testOn('SQLite', "trusts an address that the operator's own mapper lists as verified", async () => {
  const { identity, broken } = await withBroken('generic', { mapper: vouchingMapper })
  broken.claims = { ...broken.claims, email_verified: undefined }
  const browser = identity.browser()
  await handleCallback(browser, broken)
  assert.equal((await browser.whoami()).body.identity.verifiable_addresses[0].verified, true)
})

testOn('SQLite', 'SEC-26 an app signs in with a token of Google, but nothing similar', async () => {
  const { identity, broken } = await withBroken('google', { additional_id_token_audiences: ['my-app-ios'] })
  const send = async (more: object, id_token_nonce?: string) => {
    const app = identity.app()
    const nonce = id_token_nonce === undefined ? {} : { id_token_nonce }
    const body = { method: 'oidc', provider: 'acme', id_token: idToken(broken, more), ...nonce }
    return (await app.submit(await app.open('login'), body)).status
  }
  assert.equal(await send({ nonce: 'mine' }, 'mine'), 200)
  assert.equal(await send({ nonce: 'mine', aud: 'my-app-ios' }, 'mine'), 200)
  assert.equal(await send({ nonce: undefined }), 200)
  assert.equal(await send({ nonce: 'mine' }, 'another'), 400)
  assert.equal(await send({ nonce: 'mine' }), 400)
  assert.equal(await send({ nonce: 'mine', aud: 'another-app' }, 'mine'), 403)
  assert.equal(await send({ nonce: 'mine', exp: soon(-HOUR) }, 'mine'), 403)
  assert.equal(await send({ nonce: 'mine', iss: 'https://evil.test' }, 'mine'), 403)
  broken.signWith = newKey('one').privateKey
  assert.equal(await send({ nonce: 'mine' }, 'mine'), 403)
})

function claiming(claims: Claims): (broken: BrokenProvider) => void {
  return (broken) => {
    broken.claims = { ...broken.claims, ...claims }
  }
}

async function assertRefused(
  browser: Parameters<typeof formOf>[0],
  back: Parameters<typeof formOf>[1],
  what: string,
): Promise<void> {
  if (back.location?.startsWith('http://app.test/error')) {
    assert.equal((await errorOf(browser, back)).id, 'upstream_error', what)
  } else {
    assert.deepEqual(messageIds(await formOf(browser, back)), [4000001], what)
  }
}
