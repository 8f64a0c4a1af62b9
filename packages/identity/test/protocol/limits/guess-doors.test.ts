import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allStrategies } from '../../../src/strategies/all.ts'
import type { Answer } from '../../../src/testing/answers.ts'
import { Authenticator, optionsIn, RP, strangeKey } from '../../../src/testing/authenticator.ts'
import { type App, type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { test, testOn } from '../../kit/databases.ts'
import { addBackupCodes, addTotp } from '../../kit/factors.ts'
import { createTestIdentity, type Merge, merge, SHARED_LIMITS, type TestIdentity } from '../../kit/kit.ts'
import { add, enter } from '../../kit/passkeys.ts'
import { ADA, other } from '../../kit/recovery-kit.ts'
import { callbackOf, parts, providerEntry } from '../../servers/oidc-kit.ts'
import { startOpenIdProvider } from '../../servers/openid-provider.ts'

const BURST = 3
const TRIES = 9
const few = { burst: BURST, refill: '1h' }
const COMPARISON = /hasher\.verify|checkTotp\(|isEqual\(|verifyMac\('code'|await verifyAssertion\(/
const NEW = 'new@example.com'

type Try = (n: number) => Promise<boolean>
type Door = (identity: TestIdentity) => Promise<Try>
type Doors = Readonly<Record<string, Readonly<Record<string, Door>> | string>>

const DOORS: Doors = {
  'password login': {
    'a password': async (identity) => async () => isTaken(await identity.app().signIn(ADA, 'wrong')),
    'a password that confirms who it is': async (identity) => {
      const browser = await signedIn(identity)
      const form = await browser.open('login', '?refresh=true')
      const values = { method: 'password', identifier: ADA, password: 'wrong' }
      return async () => isTaken(await browser.submit(form, values))
    },
  },
  'password registration': {
    'a registration': async (identity) => async () => isTaken(await identity.app().register(ADA)),
  },
  'password settings': {
    'a guess at the present password': async (identity) => {
      const browser = await signedIn(identity)
      return async (n) => {
        const form = await browser.open('settings')
        return isTaken(await browser.submit(form, { method: 'password', password: `${PASSWORD} ${n}` }))
      }
    },
  },
  'oidc login': { 'an authorization': provided('login') },
  'oidc registration': { 'an authorization': provided('registration') },
  'oidc settings': {
    'an authorization': async (identity) => {
      const browser = await signedIn(identity)
      return async () => isTaken(await browser.submit(await browser.open('settings'), { link: 'acme' }))
    },
  },
  'profile registration': 'the first of two screens keeps what was typed; nothing is compared or sent',
  'profile settings': {
    'a code for a new address': async (identity) => {
      const browser = await signedIn(identity)
      const values = { method: 'profile', traits: { email: NEW } }
      return async () =>
        mails(identity, NEW, async () => browser.submit(await browser.open('settings'), values))
    },
  },
  'code login': {
    'a code': mailed('login', 'identifier'),
    'asking for a code': sending('login', 'code', 'identifier'),
  },
  'code registration': {
    'a code': async (identity) => {
      const app = identity.app()
      const values = { method: 'code', traits: { email: NEW } }
      const form = await app.submit(await app.open('registration'), values)
      const code = other(await identity.code(NEW))
      return async () => isTaken(await app.submit(form, { ...values, code }))
    },
    'asking for a code': async (identity) => async () => {
      const app = identity.app()
      const values = { method: 'code', traits: { email: NEW } }
      return isTaken(await app.submit(await app.open('registration'), values))
    },
  },
  'code recovery': {
    'a code': mailed('recovery', 'email'),
    'asking for a code': sending('recovery', 'code', 'email'),
  },
  'code verification': {
    'a code': mailed('verification', 'email'),
    'asking for a code': sending('verification', 'code', 'email'),
  },
  'link recovery': { 'asking for a link': sending('recovery', 'link', 'email') },
  'link verification': { 'asking for a link': sending('verification', 'link', 'email') },
  'totp login': {
    'a code of an app': async (identity) => {
      await addTotp(identity, await signedIn(identity))
      return await secondFactor(identity, { method: 'totp', totp_code: '000000' })
    },
  },
  'totp settings': 'the secret that its code proves is shown in the same form',
  'passkey login': {
    'a response of a passkey': async (identity) => {
      const key = new Authenticator()
      const browser = await signedIn(identity)
      await add(browser, key)
      const stranger = identity.browser()
      return async () => isTaken(await enter(stranger, key, { key: strangeKey() }))
    },
    'a response that confirms who it is': async (identity) => {
      const key = new Authenticator()
      const browser = await signedIn(identity)
      await add(browser, key)
      const form = await browser.open('login', '?refresh=true')
      const passkey_login = () => key.get(optionsIn(form, 'passkey_challenge'), { key: strangeKey() })
      return async () => isTaken(await browser.submit(form, { passkey_login: passkey_login() }))
    },
  },
  'passkey registration': 'nothing is guessed, and each account that it makes counts as a registration',
  'passkey settings': 'an answer of a key cannot be guessed',
  'webauthn login': {
    'a response of a security key': async (identity) => {
      const key = new Authenticator()
      const browser = await signedIn(identity)
      const settings = await browser.open('settings')
      const webauthn_register = key.create(optionsIn(settings, 'webauthn_register_trigger'))
      await browser.submit(settings, { webauthn_register, webauthn_register_displayname: 'blue' })
      const halfway = identity.browser()
      await halfway.signIn(ADA)
      const form = await halfway.open('login', '?aal=aal2')
      const asked = optionsIn(form, 'webauthn_login_trigger')
      return async () => {
        const webauthn_login = key.get(asked, { key: strangeKey() })
        return isTaken(await halfway.submit(form, { identifier: ADA, webauthn_login }))
      }
    },
  },
  'webauthn registration': 'nothing is guessed, and each account that it makes counts as a registration',
  'webauthn settings': 'an answer of a key cannot be guessed',
  'lookup_secret login': {
    'a backup code': async (identity) => {
      await addBackupCodes(await signedIn(identity))
      return await secondFactor(identity, { method: 'lookup_secret', lookup_secret: 'no such code' })
    },
    'an overlong backup code': async (identity) => {
      await addBackupCodes(await signedIn(identity))
      return await secondFactor(identity, { method: 'lookup_secret', lookup_secret: 'x'.repeat(65) })
    },
  },
  'lookup_secret settings': 'the codes are shown, and none is typed',
  'identifier_first login': 'it compares nothing that is secret',
}

testOn(
  'SQLite',
  'SEC-45 every form of every strategy is limited, or states why there is nothing to guess',
  () => {
    const cells = allStrategies.flatMap(({ id, steps }) => Object.keys(steps).map((kind) => `${id} ${kind}`))
    assert.deepEqual(Object.keys(DOORS).sort(), cells.sort())
  },
)

testOn('SQLite', 'SEC-45 only the files behind these forms compare secrets', () => {
  const source = join(import.meta.dirname, '../../../src')
  const comparing = globSync('**/*.ts', {
    cwd: source,
    exclude: ['crypto/**', 'strategies/oidc/**', '**/*.test.ts'],
  })
    .filter((file) => COMPARISON.test(readFileSync(join(source, file), 'utf8')))
    .sort()
  assert.deepEqual(comparing, [
    'authenticators/prove.ts',
    'codes/check.ts',
    'strategies/lookup-secret.ts',
    'strategies/password/login.ts',
    'strategies/password/password.ts',
    'strategies/totp.ts',
  ])
})

for (const [cell, doors] of Object.entries(DOORS)) {
  if (typeof doors === 'string') continue
  for (const [name, open] of Object.entries(doors)) {
    test(`SEC-45 ${name} (${cell}) is limited`, async () => {
      const identity = await service(cell.startsWith('link'))
      const attempt = await open(identity)
      let taken = 0
      for (let n = 0; n < TRIES; n += 1) taken += (await attempt(n)) ? 1 : 0
      assert.ok(taken === BURST || taken === BURST - 1, `${taken} of ${TRIES}`)
    })
  }
}

for (const kind of ['login', 'registration', 'recovery', 'verification', 'settings'] as const) {
  test(`FLT-23 limits a client's ${kind} flows`, async () => {
    const identity = await service(false, { flow: { client: few } })
    const browser = await signedIn(identity)
    const opener = kind === 'settings' ? browser : identity.browser()
    const statuses = []
    for (let n = 0; n < TRIES; n += 1) statuses.push((await opener.open(kind)).status)
    assert.deepEqual([statuses[0], statuses.at(-1)], [200, 429])
  })
}

async function service(byLink: boolean, limits: Merge = {}): Promise<TestIdentity> {
  const acme = await startOpenIdProvider({ redirect_uris: [callbackOf('acme')] })
  const providers = [providerEntry('acme', { issuer_url: acme.issuer })]
  const use = byLink ? { use: 'link' } : {}
  const config = {
    limits: merge(
      merge(SHARED_LIMITS, {
        password: { account: few, client: few },
        code: { account: few },
        mail: { account: few },
        registration: { account: few },
        provider: { client: few },
      }),
      limits,
    ),
    selfservice: {
      methods: {
        totp: { enabled: true },
        lookup_secret: { enabled: true },
        code: { passwordless_enabled: true },
        link: { enabled: byLink },
        passkey: { enabled: true, config: { rp: RP } },
        webauthn: { enabled: true, config: { rp: RP } },
        oidc: { enabled: true, config: { providers } },
      },
      flows: {
        recovery: use,
        verification: use,
        settings: { after: { profile: { hooks: [{ hook: 'verify_new_address' }] } } },
      },
    },
  }
  const identity = await createTestIdentity(config, parts(acme))
  await identity.user(ADA)
  return identity
}

async function signedIn(identity: TestIdentity): Promise<Browser> {
  const browser = identity.browser()
  assert.equal((await browser.signIn(ADA)).status, 200)
  return browser
}

function mailed(kind: 'login' | 'recovery' | 'verification', field: string): Door {
  return async (identity) => {
    const app = identity.app()
    const values = { method: 'code', [field]: ADA }
    const form = await app.submit(await app.open(kind), values)
    const code = other(await identity.code(ADA))
    return async () => {
      const answer = await app.submit(form, kind === 'login' ? { ...values, code } : { code })
      // Without guesses left, another form replaces it.
      return isTaken(answer) && answer.body.id === form.body.id
    }
  }
}

function sending(kind: 'login' | 'recovery' | 'verification', method: string, field: string): Door {
  return async (identity) => async () => {
    const app: App = identity.app()
    return isTaken(await app.submit(await app.open(kind), { method, [field]: ADA }))
  }
}

function provided(kind: 'login' | 'registration'): Door {
  return async (identity) => {
    const browser = identity.browser()
    return async () =>
      isTaken(await browser.submit(await browser.open(kind), { method: 'oidc', provider: 'acme' }))
  }
}

async function secondFactor(identity: TestIdentity, proof: object): Promise<Try> {
  const browser = identity.browser()
  await browser.signIn(ADA)
  const form = await browser.open('login', '?aal=aal2')
  return async () => isTaken(await browser.submit(form, proof))
}

function isTaken({ status, body }: Answer): boolean {
  return status !== 429 && !JSON.stringify(body).includes('Too many incorrect codes')
}

async function mails(identity: TestIdentity, email: string, send: () => Promise<Answer>): Promise<boolean> {
  const before = (await identity.mails(email)).length
  assert.ok([200, 429].includes((await send()).status))
  return (await identity.mails(email)).length > before
}
