import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { Answer, FlowAnswer } from '../../../src/testing/answers.ts'
import { Authenticator, optionsIn, RP } from '../../../src/testing/authenticator.ts'
import type { Browser } from '../../../src/testing/clients.ts'
import { few } from '../../input/sample.ts'
import { testOnEach as test, testOn } from '../../kit/databases.ts'
import { ADA, addBackupCodes, addTotp, codeOf, SECOND_FACTORS } from '../../kit/factors.ts'
import { add } from '../../kit/passkeys.ts'
import { letsIn, other } from '../../kit/recovery-kit.ts'
import { type Pair, processes, replicas } from '../../kit/replicas-kit.ts'
import { untilServed } from '../../kit/until.ts'
import { callbackOf, GRACE, leave, mapperModule, providerEntry } from '../../servers/oidc-kit.ts'
import { type OpenIdProvider, startOpenIdProvider } from '../../servers/openid-provider.ts'

/** Below the ten guesses of an address, so that only the form's limit counts. */
const MANY = 8

const CONFIG = {
  selfservice: { methods: { code: { passwordless_enabled: true, config: { max_submissions: MANY } } } },
}

function configWith({ issuer: issuer_url }: OpenIdProvider) {
  const acme = providerEntry('acme', { issuer_url, mapper_url: mapperModule() })
  const methods = {
    ...SECOND_FACTORS.selfservice.methods,
    passkey: { enabled: true, config: { rp: RP } },
    oidc: { enabled: true, config: { providers: [acme] } },
  }
  return { selfservice: { methods } }
}

interface Race {
  readonly runners: readonly (() => Promise<Answer>)[]
  succeeds(answer: Answer): boolean
}

interface Scene extends Pair {
  readonly email: string
  readonly own: Browser
}

interface Mailed {
  readonly code: string
  type(code: string): Promise<Answer>
  succeeds(answer: Answer): boolean
}

/** Equal submissions would get the first answer again (SEC-113). */
function unlike(): object {
  attempts += 1
  return { transient_payload: { attempts } }
}

let attempts = 0

const CODES: Record<string, (scene: Scene) => Promise<Mailed>> = {
  'a code that proves an address': async ({ first, own, email }) => {
    const form = await own.submit(await own.open('verification'), { method: 'code', email })
    return {
      code: await first.code(email),
      type: (code) => own.submit(form, { method: 'code', code, ...unlike() }),
      succeeds: ({ body }) => body.state === 'passed_challenge',
    }
  },
  'a recovery code': async ({ first, browser, email }) => {
    const stranger = browser()
    const form = await stranger.submit(await stranger.open('recovery'), { method: 'code', email })
    return {
      code: await first.code(email),
      type: (code) => stranger.submit(form, { method: 'code', code, ...unlike() }),
      succeeds: letsIn,
    }
  },
  'a code that signs in': async ({ first, app, email }) => {
    const phone = app()
    const values = { method: 'code', identifier: email }
    const form = await phone.submit(await phone.open('login'), values)
    return {
      code: await first.code(email),
      type: (code) => phone.submit(form, { ...values, code, ...unlike() }),
      succeeds,
    }
  },
  'a code that makes an account': async ({ first, app, email }) => {
    const phone = app()
    const address = `new-${email}`
    const values = { method: 'code', traits: { email: address } }
    const form = await phone.submit(await phone.open('registration'), values)
    return {
      code: await first.code(address),
      type: (code) => phone.submit(form, { ...values, code, ...unlike() }),
      succeeds,
    }
  },
}

const SECRETS: Record<string, (scene: Scene & { readonly acme: OpenIdProvider }) => Promise<Race>> = {
  'an answer of a passkey': async ({ app, own }) => {
    const key = new Authenticator()
    assert.equal((await add(own, key)).status, 200)
    const phone = app()
    const form = await phone.open('login')
    // Without a counter, only the challenge prevents reuse.
    const passkey_login = key.get(optionsIn(form, 'passkey_challenge'), { counter: 0 })
    return {
      runners: times(() => phone.submit(form, { passkey_login, ...unlike() })),
      succeeds,
    }
  },
  'an answer of a provider': async ({ browser, acme, email }) => {
    const traveller = browser()
    acme.user = { ...GRACE, sub: email, email: `social-${email}` }
    const back = await acme.visit(await leave(traveller, await traveller.open('login'), 'acme'))
    const twins = Array.from({ length: MANY }, () => traveller.twin())
    return {
      runners: twins.map((twin) => () => twin.navigate(back)),
      succeeds: ({ location }) => location === 'http://app.test/',
    }
  },
  'a backup code': async (scene) => {
    const [lookup_secret] = await addBackupCodes(scene.own)
    return await atSecondFactors(scene, () => ({ method: 'lookup_secret', lookup_secret }))
  },
  'a code of an authenticator app': async (scene) => {
    const secret = await addTotp(scene.first, scene.own)
    const totp_code = codeOf(scene.first, secret)
    return await atSecondFactors(scene, () => ({ method: 'totp', totp_code }))
  },
  'an address that many change theirs to': async ({ first, browser }) => {
    const runners = []
    for (let n = 0; n < 6; n += 1) {
      await first.user(`wanting${n}@example.com`)
      const one = browser()
      await one.signIn(`wanting${n}@example.com`)
      const form = await one.open('settings')
      const values = { method: 'profile', traits: { email: 'wanted@example.com' } }
      runners.push(() => one.submit(form, values))
    }
    return { runners, succeeds }
  },
  'the last sign-in method that may be removed': async ({ browser }) => {
    const key = new Authenticator()
    const ben = browser()
    const form = await ben.open('registration')
    const passkey_register = key.create(optionsIn(form, 'passkey_create_data'))
    await ben.submit(form, { traits: { email: 'ben@example.com' }, passkey_register })
    assert.equal((await ben.whoami()).status, 401)
    const login = await ben.open('login')
    await ben.submit(login, { passkey_login: key.get(optionsIn(login, 'passkey_challenge')) })
    const other = new Authenticator()
    assert.equal((await add(ben, other)).status, 200)
    const ids = [...key.keys, ...other.keys].map(({ id }) => Buffer.from(id, 'base64url').toString('hex'))
    const flows = [await ben.open('settings'), await ben.open('settings')]
    return {
      runners: ids.map((passkey_remove, n) => () => ben.submit(flows[n] as FlowAnswer, { passkey_remove })),
      succeeds,
    }
  },
}

/** Processes compare a sample, because their requests take longer; PostgreSQL sees connections only. */
const PAIRS = {
  'two replicas': { start: replicas, most: Number.POSITIVE_INFINITY, define: test },
  'two processes': { start: processes, most: 1, define: testOn.bind(undefined, 'SQLite') },
}

for (const [where, { start, most, define }] of Object.entries(PAIRS)) {
  define(`SEC-04 FLT-13 parallel submissions at ${where} use each emailed code once`, async ({ name }) => {
    const pair = await start(CONFIG)
    for (const [n, [secret, prepare]] of few(name, Object.entries(CODES), most).entries()) {
      const mailed = await prepare(await sceneOf(pair, `right${n}@example.com`))
      await assertOneWins({ ...mailed, runners: times(() => mailed.type(mailed.code)) }, secret)
      const guessed = await prepare(await sceneOf(pair, `guessed${n}@example.com`))
      const before = comparisons(pair)
      const guesses = Array.from({ length: 3 * MANY }, () => guessed.type(other(guessed.code)))
      const answers = [...(await Promise.all(guesses)), await guessed.type(guessed.code)]
      assert.ok(
        answers.every(({ status }) => status < 500),
        secret,
      )
      assert.equal(answers.some(guessed.succeeds), false, secret)
      assert.equal(comparisons(pair) - before, MANY, secret)
    }
  })

  define(`SEC-04 SEC-27 parallel submissions at ${where} use each other secret once`, async ({ name }) => {
    const acme = await startOpenIdProvider({ redirect_uris: [callbackOf('acme')] })
    const pair = await start(configWith(acme))
    for (const [n, [secret, prepare]] of few(name, Object.entries(SECRETS), most).entries()) {
      const scene = await sceneOf(pair, `user${n}@example.com`)
      await assertOneWins(await prepare({ ...scene, acme }), secret)
    }
  })
}

test("SEC-108 parallel submissions at two replicas use a provider's token once", async () => {
  const provider = providerEntry('tokens', { provider: 'fedcm-test', mapper_url: mapperModule() })
  const oidc = { enabled: true, config: { providers: [provider] } }
  const after = { oidc: { hooks: [{ hook: 'session' }] } }
  const { app } = await replicas({ selfservice: { methods: { oidc }, flows: { registration: { after } } } })
  const content = [{ alg: 'HS256' }, { sub: 'ada-1', email: ADA, email_verified: true }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const id_token = `${content}.${createHmac('sha256', 'xxxxxxx').update(content).digest('base64url')}`
  const phones = await Promise.all(
    Array.from({ length: MANY }, async (_, n) => {
      const phone = app()
      return { phone, form: await phone.open(n % 2 === 0 ? 'login' : 'registration') }
    }),
  )
  const values = { method: 'oidc', provider: 'tokens', id_token }
  const runners = phones.map(
    ({ phone, form }) =>
      () =>
        phone.submit(form, values),
  )
  await assertOneWins({ runners, succeeds }, 'a token')
})

function comparisons({ logged }: Pair): number {
  return logged().filter(
    (line) => line.includes('"event":"code_guessed"') && line.includes('"detail":"wrong"'),
  ).length
}

async function assertOneWins({ runners, succeeds }: Race, secret: string): Promise<void> {
  // A busy machine refuses some hashes first.
  const answers = await Promise.all(runners.map(untilServed))
  const won = answers.filter(succeeds)
  assert.equal(won.length, 1, secret)
  const broken = answers.filter(({ status }) => status >= 500)
  assert.deepEqual(
    broken.map(({ status }) => status),
    [],
    secret,
  )
}

function succeeds({ status }: Answer): boolean {
  return status === 200
}

async function sceneOf(pair: Pair, email: string): Promise<Scene> {
  await pair.first.user(email)
  const own = pair.browser()
  assert.equal((await own.signIn(email)).status, 200)
  return { ...pair, email, own }
}

function times(run: () => Promise<Answer>): (() => Promise<Answer>)[] {
  return Array.from({ length: MANY }, () => run)
}

async function atSecondFactors({ browser, email }: Scene, proof: () => object): Promise<Race> {
  const runners = []
  for (let n = 0; n < MANY; n += 1) {
    const one = browser()
    await one.signIn(email)
    const form = await one.open('login', '?aal=aal2')
    runners.push(() => one.submit(form, proof()))
  }
  return { runners, succeeds }
}
