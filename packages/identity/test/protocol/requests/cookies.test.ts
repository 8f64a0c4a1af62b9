import assert from 'node:assert/strict'
import fc from 'fast-check'
import { tokenOf } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { runs } from '../../input/sample.ts'
import { test, testOn } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { ADA, EVE } from '../../kit/recovery-kit.ts'

const SESSION = 'ory_kratos_session'
const SPACES = [
  ...[0x0b, 0x0c, 0x1c, 0x1d, 0x1e, 0x1f, 0x85, 0xa0, 0x1680, 0x180e],
  ...[0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
].map((point) => String.fromCodePoint(point))

function bytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}

test('SEC-36 ignores a session cookie with a lookalike name', async () => {
  const { identity, value } = await signedIn()
  const own = `${SESSION}=${value}`
  assert.equal(await whoamiBy(identity, own), 200)
  assert.equal(await whoamiBy(identity, `a=b; ${own};c`), 200)
  assert.ok(SPACES.length >= 25)
  const cookies = [
    ...SPACES.flatMap((space) => [`${bytes(space)}${own}`, `a=b; ${bytes(space)}${own}`]),
    ...SPACES.flatMap((space) => [
      `${SESSION}${bytes(space)}=${value}`,
      `${SESSION}=${bytes(space)}${value}`,
    ]),
    `$Version=1; ${SESSION}="${value}"`,
    `"${own}"`,
    `x="a; ${own}`.replace('; ', ', '),
    `=${own}`,
    `${SESSION.toUpperCase()}=${value}`,
    `__Host-${own}`,
    `${SESSION}==${value}`,
    `${SESSION}%3D${value}`,
    `${own}, a=b`,
    value,
  ]
  for (const cookie of cookies) assert.equal(await whoamiBy(identity, cookie), 401, JSON.stringify(cookie))
})

test('SEC-36 uses the valid one of several session cookies', async () => {
  const { identity, value } = await signedIn()
  const own = `${SESSION}=${value}`
  const stale = `${SESSION}=ory_st_${'x'.repeat(43)}.1`
  const cookies = [
    `${own}; ${own}`,
    `${own}; ${SESSION}=`,
    `${SESSION}=x; ${own}`,
    `${stale}; ${own}`,
    `${own}; ${stale}`,
    many(200, own),
  ]
  for (const cookie of cookies) assert.equal(await whoamiBy(identity, cookie), 200, cookie.slice(0, 99))
  const crowd = Array.from({ length: 200 }, (_, n) => `name${n}=${'x'.repeat(40)}`).join('; ')
  assert.equal(await whoamiBy(identity, `${crowd}; ${own}`), 200)
  assert.equal(await whoamiBy(identity, `${SESSION}=${'x'.repeat(8192)}`), 401)
})

test("SEC-36 two users' valid cookies authenticate neither", async () => {
  const { identity, value } = await signedIn()
  const eve = identity.browser()
  await eve.signIn(EVE)
  const [own, other] = [`${SESSION}=${value}`, `${SESSION}=${eve.cookies.get(SESSION)}`]
  assert.equal(await whoamiBy(identity, `${own}; ${other}`), 401)
  assert.equal(await whoamiBy(identity, `${other}; ${own}`), 401)
  await eve.navigate(String((await eve.get('/self-service/logout/browser')).body.logout_url))
  assert.equal(await whoamiBy(identity, `${other}; ${own}`), 200)
})

test('SEC-36 too many session cookies cost no look-up', async () => {
  const { identity, value } = await signedIn()
  const planted = Array.from({ length: 60 }, (_, n) => `${SESSION}=ory_st_${'x'.repeat(40)}${n}.1`)
  assert.equal(await whoamiBy(identity, [...planted, `${SESSION}=${value}`].join('; ')), 401)
})

// These headers never reach the database.
testOn(
  'SQLite',
  'SEC-36 no bytes in a Cookie header cause an error or authenticate another user',
  async () => {
    const { identity, value, id } = await signedIn()
    const pieces = [
      SESSION,
      value,
      value.slice(0, -1),
      '=',
      ';',
      ' ',
      ',',
      '"',
      '$Version=1',
      '\t',
      '.',
      '%00',
    ]
    const byte = fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code))
    const piece = fc.oneof(fc.constantFrom(...pieces), byte, fc.constantFrom(...SPACES.map(bytes)))
    const header = fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(header, async (cookie) => {
        const answer = await identity.browser().get('/sessions/whoami', { headers: { cookie } })
        assert.ok([200, 401].includes(answer.status), `${answer.status}`)
        if (answer.status !== 200) return
        assert.equal(answer.body.identity.id, id)
        assert.ok(cookie.split(';').some((pair) => pair.trim() === `${SESSION}=${value}`))
      }),
      { numRuns: runs(300, 2000), examples: [[`${SESSION}=${value}`], [`;;${SESSION}=${value};=`]] },
    )
  },
)

test('SEC-35 a CSRF cookie from a sibling host is useless', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const [victim, attacker] = [identity.browser(), identity.browser()]
  const own = await victim.open('login')
  const planted = await attacker.open('login')
  const [name = ''] = [...victim.cookies.keys()]
  const [mine, theirs] = [`${name}=${victim.cookies.get(name)}`, `${name}=${attacker.cookies.get(name)}`]
  const sixty = Array.from({ length: 60 }, () => theirs).join('; ')
  const jars = [theirs, `${theirs}; ${mine}`, `${mine}; ${theirs}`, `${sixty}; ${mine}`, `${mine}; ${sixty}`]
  const credentials = { method: 'password', identifier: ADA, password: PASSWORD }
  for (const cookie of jars) {
    for (const [form, token] of [
      [own, tokenOf(own)],
      [own, tokenOf(planted)],
      [planted, tokenOf(planted)],
    ] as const) {
      const headers = { cookie, origin: 'http://evil.app.test', 'sec-fetch-site': 'same-site' }
      const values = { ...credentials, csrf_token: token }
      assert.equal((await victim.submit(form, values, { headers })).status, 403)
      // Even with our origin, a form accepts only its own cookie.
      if (cookie !== theirs || form === own) {
        const answer = await victim.submit(form, values, { headers: { cookie, origin: 'http://app.test' } })
        assert.equal(answer.status, 403, cookie.slice(0, 60))
      }
    }
  }
  assert.equal((await victim.submit(own, credentials)).status, 200)
})

test("SEC-35 a browser's token fails in another, however masked", async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const [victim, attacker] = [identity.browser(), identity.browser()]
  const form = await victim.open('login')
  const token = String(tokenOf(await attacker.open('login')))
  const own = Buffer.from(String(tokenOf(form)), 'base64')
  const swapped = Buffer.concat([own.subarray(32), own.subarray(0, 32)])
  swapped[0] = (swapped[0] ?? 0) ^ 1
  const zeros = Buffer.alloc(64).toString('base64')
  for (const csrf_token of [
    token,
    '',
    zeros,
    swapped.toString('base64'),
    own.toString('base64').slice(0, -4),
    {},
  ]) {
    const values = { method: 'password', identifier: ADA, password: PASSWORD, csrf_token }
    assert.equal((await victim.submit(form, values)).status, 403, JSON.stringify(csrf_token))
  }
})

async function signedIn() {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  await identity.user(EVE)
  const browser = identity.browser()
  const { session } = (await browser.signIn(ADA)).body
  return { identity, value: browser.cookies.get(SESSION) ?? '', id: session.identity.id as string }
}

function many(count: number, pair: string): string {
  return Array.from({ length: count }, () => pair).join('; ')
}

async function whoamiBy(identity: TestIdentity, cookie: string): Promise<number> {
  return (await identity.browser().get('/sessions/whoami', { headers: { cookie } })).status
}
