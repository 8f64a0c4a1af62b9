import assert from 'node:assert/strict'
import type { Answer } from '../answers.ts'
import { Authenticator, optionsIn, RP } from '../authenticator.ts'
import type { Browser } from '../clients.ts'
import { PASSWORD } from '../clients.ts'
import { test } from '../databases.ts'
import { ADA, addBackupCodes, addTotp, codeOf, SECOND_FACTORS } from '../factors.ts'
import { cookieHeld, statusesOf, TOKENIZER, tokenHeld } from '../held-credentials.ts'
import type { TestIdentity } from '../kit.ts'
import { createTestIdentity, personSchema } from '../kit.ts'
import { letsIn } from '../recovery-kit.ts'

const schema = structuredClone(personSchema)
Object.assign(schema.properties.traits.properties.email['ory.sh/kratos'].credentials, {
  webauthn: { identifier: true },
  passkey: { display_name: true },
})

const CONFIG = {
  ...TOKENIZER,
  identity: { schemas: [{ id: 'default', schema }] },
  selfservice: {
    methods: {
      ...SECOND_FACTORS.selfservice.methods,
      code: { passwordless_enabled: true },
      link: { enabled: true },
      passkey: { enabled: true, config: { rp: RP } },
      webauthn: { enabled: true, config: { passwordless: true, rp: RP } },
    },
    flows: { settings: { ui_url: 'http://app.test/settings' } },
  },
}

/** Comes as far as the last step of a way in; what it gives takes that step. */
type Begin = (browser: Browser) => Promise<() => Promise<Answer>>

const FIRST: Record<string, (identity: TestIdentity, owner: Browser) => Promise<Begin>> = {
  'a password': async () => async (browser) => {
    const form = await browser.open('login')
    return () => browser.submit(form, { method: 'password', identifier: ADA, password: PASSWORD })
  },
  'a mailed code': async (identity) => async (browser) => {
    const form = await browser.submit(await browser.open('login'), { method: 'code', identifier: ADA })
    const code = await identity.code(ADA)
    return () => browser.submit(form, { method: 'code', identifier: ADA, code })
  },
  'a recovery code': async (identity) => async (browser) => {
    const form = await browser.submit(await browser.open('recovery'), { method: 'code', email: ADA })
    const code = await identity.code(ADA)
    return () => browser.submit(form, { method: 'code', code })
  },
  'a link of an operator': async (identity, owner) => {
    const { id } = (await owner.whoami()).body.identity
    return async (browser) => {
      const made = await identity.admin('POST', '/admin/recovery/link', { identity_id: id })
      return () => browser.navigate(made.body.recovery_link)
    }
  },
  'a passkey': async (_identity, owner) => {
    const key = new Authenticator()
    const settings = await owner.open('settings')
    const passkey_settings_register = key.create(optionsIn(settings, 'passkey_create_data'))
    assert.equal((await owner.submit(settings, { passkey_settings_register })).status, 200)
    return async (browser) => {
      const flow = await browser.open('login')
      return () => browser.submit(flow, { passkey_login: key.get(optionsIn(flow, 'passkey_challenge')) })
    }
  },
  'a security key': async (_identity, owner) => {
    const key = new Authenticator()
    const settings = await owner.open('settings')
    const webauthn_register = key.create(optionsIn(settings, 'webauthn_register_trigger'))
    const added = { webauthn_register, webauthn_register_displayname: 'blue' }
    assert.equal((await owner.submit(settings, added)).status, 200)
    return async (browser) => {
      const flow = await browser.open('login')
      await browser.submit(flow, { method: 'webauthn', identifier: ADA })
      const asked = await browser.get(`/self-service/login/flows?id=${flow.body.id}`)
      return () =>
        browser.submit(asked, { webauthn_login: key.get(optionsIn(asked, 'webauthn_login_trigger')) })
    }
  },
}

const SECOND: Record<string, (identity: TestIdentity, owner: Browser) => Promise<() => object>> = {
  'an authenticator app': async (identity, owner) => {
    const secret = await addTotp(identity, owner)
    return () => ({ method: 'totp', totp_code: codeOf(identity, secret) })
  },
  'a backup code': async (_identity, owner) => {
    const [lookup_secret] = await addBackupCodes(owner)
    return () => ({ method: 'lookup_secret', lookup_secret })
  },
}

for (const [name, way] of Object.entries(FIRST)) {
  test(`SEC-22 whose account is switched off gets in by ${name} no more, and did before`, async () => {
    const { identity, id, owner } = await withAda()
    const begin = await way(identity, owner)
    const [before, after] = [identity.browser(), identity.browser()]
    await (await begin(before))()
    assert.deepEqual(await statusesOf(identity, cookieHeld(before)), [200])
    const finish = await begin(after)
    await switchOff(identity, id)
    assertOutside(await finish(), after)
    for (const browser of [owner, before, after]) {
      assert.deepEqual(await statusesOf(identity, cookieHeld(browser)), [401])
    }
  })
}

for (const [name, setUp] of Object.entries(SECOND)) {
  test(`SEC-22 an account that is switched off between the factors is not entered by ${name}`, async () => {
    const { identity, id, owner } = await withAda()
    const proof = await setUp(identity, owner)
    const browser = identity.browser()
    await browser.signIn(ADA)
    const form = await browser.open('login', '?aal=aal2')
    await switchOff(identity, id)
    const before = cookieHeld(browser)
    const refused = await browser.submit(form, proof())
    assert.deepEqual([refused.status, letsIn(refused)], [401, false])
    for (const held of [before, cookieHeld(browser)]) {
      assert.deepEqual(await statusesOf(identity, held), [401])
    }
  })
}

test('SEC-22 an app is refused as a page is, and its token tells nothing', async () => {
  const { identity, id } = await withAda()
  const app = identity.app()
  await app.signIn(ADA)
  await switchOff(identity, id)
  assert.deepEqual(await statusesOf(identity, tokenHeld(app)), [401])
  const refused = await identity.app().signIn(ADA, PASSWORD)
  assert.deepEqual([refused.status, 'session_token' in refused.body], [401, false])
})

async function withAda() {
  const identity = await createTestIdentity(CONFIG)
  await identity.person(ADA)
  const owner = identity.browser()
  const { session } = (await owner.signIn(ADA)).body
  return { identity, id: session.identity.id as string, owner }
}

function assertOutside(answer: Answer, browser: Browser): void {
  assert.ok(answer.status < 500, `answered ${answer.status}`)
  assert.equal(letsIn(answer), false)
  assert.equal(
    [...browser.cookies.values()].some((value) => value.startsWith('ory_st_')),
    false,
  )
}

async function switchOff(identity: TestIdentity, id: string): Promise<void> {
  const change = [{ op: 'replace', path: '/state', value: 'inactive' }]
  assert.equal((await identity.admin('PATCH', `/admin/identities/${id}`, change)).status, 200)
}
