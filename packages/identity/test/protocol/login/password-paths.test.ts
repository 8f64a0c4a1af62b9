import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type Answer, fieldMessageIds } from '../../../src/testing/answers.ts'
import { testOn } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { settingsAfter } from '../../kit/recovery-kit.ts'

const USER = 'ada.lovelace@example.com'
const SHORT = 4000032
const SIMILAR = 4000031
const BREACHED = 4000034

const WORDS: Readonly<Record<string, number>> = {
  short: SHORT,
  '😀😀😀': SHORT,
  'ada.lovelace': SIMILAR,
  'Ada.Lovelace': SIMILAR,
  'ADA.LOVELACE@EXAMPLE.COM': SIMILAR,
  [USER]: SIMILAR,
  'ada.lovelace1!': SIMILAR,
  lovelace: SIMILAR,
  'lovelace@example': SIMILAR,
  'example.com': SIMILAR,
  '@example.com1': SIMILAR,
  password: BREACHED,
  '123456': BREACHED,
  qwertyuiop: BREACHED,
  'iloveyou!!': BREACHED,
  'letmein now': BREACHED,
  'my-app-2031': BREACHED,
  'identity.test': BREACHED,
  Passwort1234: BREACHED,
  'trustno1 trustno1': BREACHED,
}

const breaches = (async (url: string) => {
  const digests = Object.keys(WORDS).map((word) =>
    createHash('sha1').update(word).digest('hex').toUpperCase(),
  )
  const prefix = String(url).split('/').at(-1) ?? ''
  const rows = digests.filter((digest) => digest.startsWith(prefix)).map((digest) => `${digest.slice(5)}:9`)
  return new Response(rows.join('\r\n'))
}) as typeof fetch

const PATHS: Record<string, (identity: TestIdentity) => Promise<(password: string) => Promise<Answer>>> = {
  'a registration': async (identity) => {
    const browser = identity.browser()
    const form = await browser.open('registration')
    return (password) =>
      browser.submit(form, { method: 'password', password, traits: { email: USER, name: 'Ada' } })
  },
  'the registration of an app': async (identity) => {
    const app = identity.app()
    const form = await app.open('registration')
    return (password) => app.submit(form, { method: 'password', password, traits: { email: USER } })
  },
  'the settings': async (identity) => {
    const browser = await identity.signedIn(USER)
    const form = await browser.open('settings')
    return (password) => browser.submit(form, { method: 'password', password })
  },
  'the settings of an app': async (identity) => {
    await identity.user(USER)
    const app = identity.app()
    await app.signIn(USER)
    const form = await app.open('settings')
    return (password) => app.submit(form, { method: 'password', password })
  },
  'a recovery': async (identity) => {
    await identity.user(USER)
    const browser = identity.browser()
    const form = await browser.submit(await browser.open('recovery'), { method: 'code', email: USER })
    const done = await browser.submit(form, { method: 'code', code: await identity.code(USER) })
    const settings = await browser.get(`/self-service/settings/flows?id=${settingsAfter(done)}`)
    return (password) => browser.submit(settings, { method: 'password', password })
  },
}

// Refused passwords never reach the database.
for (const [path, begin] of Object.entries(PATHS)) {
  testOn('SQLite', `SEC-62 ${path} refuses the same twenty passwords with the same errors`, async () => {
    const list = { min_password_length: 6, haveibeenpwned_enabled: true, max_breaches: 0 }
    const identity = await createTestIdentity(
      { selfservice: { methods: { password: { config: list } } } },
      { fetch: breaches },
    )
    const send = await begin(identity)
    assert.equal(Object.keys(WORDS).length, 20)
    for (const [word, why] of Object.entries(WORDS)) {
      const refused = await send(word)
      assert.deepEqual([refused.status, fieldMessageIds(refused, 'password')], [400, [why]], word)
    }
    assert.equal((await send('correct horse 9 staple')).status, 200)
  })
}
