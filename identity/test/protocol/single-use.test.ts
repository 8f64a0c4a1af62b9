import assert from 'node:assert/strict'
import type { Answer, FlowAnswer } from '../answers.ts'
import { Authenticator, optionsIn, RP } from '../authenticator.ts'
import type { Browser } from '../clients.ts'
import { test } from '../databases.ts'
import { ADA, addBackupCodes, addTotp, codeOf, SECOND_FACTORS } from '../factors.ts'
import { add } from '../passkeys.ts'
import { EVE, letsIn, other } from '../recovery-kit.ts'
import { replicas } from '../replicas-kit.ts'

const CONFIG = {
  selfservice: {
    methods: {
      ...SECOND_FACTORS.selfservice.methods,
      code: { passwordless_enabled: true, config: { max_submissions: 255 } },
      passkey: { enabled: true, config: { rp: RP } },
    },
    flows: { settings: { ui_url: 'http://app.test/settings' } },
  },
}

type Replicas = Awaited<ReturnType<typeof replicas>>

interface Race {
  /** Each of these is right by itself. */
  readonly runners: readonly (() => Promise<Answer>)[]
  succeeds(answer: Answer): boolean
}

/** Fewer than an hour's budget of guesses at one address. */
const MANY = 12

const SECRETS: Record<string, (town: Replicas, ada: Browser) => Promise<Race>> = {
  'a code that proves an address': async ({ first }, ada) => {
    const form = await ada.submit(await ada.open('verification'), { method: 'code', email: ADA })
    const values = { method: 'code', code: await first.code(ADA) }
    return { runners: same(ada, form, values), succeeds: ({ body }) => body.state === 'passed_challenge' }
  },
  'a recovery code': async ({ first, browser }) => {
    const stranger = browser()
    const form = await stranger.submit(await stranger.open('recovery'), { method: 'code', email: ADA })
    const values = { method: 'code', code: await first.code(ADA) }
    return { runners: same(stranger, form, values), succeeds: letsIn }
  },
  'a code that signs in': async ({ first, app }) => {
    const phone = app()
    const form = await phone.submit(await phone.open('login'), { method: 'code', identifier: ADA })
    const values = { method: 'code', identifier: ADA, code: await first.code(ADA) }
    return { runners: times(() => phone.submit(form, values)), succeeds: ({ status }) => status === 200 }
  },
  'a code that makes an account': async ({ first, app }) => {
    const phone = app()
    const values = { method: 'code', traits: { email: EVE } }
    const form = await phone.submit(await phone.open('registration'), values)
    const typed = { ...values, code: await first.code(EVE) }
    return { runners: times(() => phone.submit(form, typed)), succeeds: ({ status }) => status === 200 }
  },
  'an answer of a passkey': async ({ app }, ada) => {
    const key = new Authenticator()
    assert.equal((await add(ada, key)).status, 200)
    const phone = app()
    const form = await phone.open('login')
    // No counter, as synced passkeys have none: only the challenge can tell.
    const passkey_login = key.get(optionsIn(form, 'passkey_challenge'), { counter: 0 })
    return {
      runners: times(() => phone.submit(form, { passkey_login })),
      succeeds: ({ status }) => status === 200,
    }
  },
  'a backup code': async (town, ada) => {
    const [lookup_secret] = await addBackupCodes(ada)
    return await atSecondFactors(town, () => ({ method: 'lookup_secret', lookup_secret }))
  },
  'a code of an authenticator app': async (town, ada) => {
    const secret = await addTotp(town.first, ada)
    return await atSecondFactors(town, () => ({ method: 'totp', totp_code: codeOf(town.first, secret) }))
  },
  'an address that many change theirs to': async ({ first, browser }) => {
    const runners = []
    for (let n = 0; n < 6; n += 1) {
      await first.person(`person${n}@example.com`)
      const one = browser()
      await one.signIn(`person${n}@example.com`)
      const form = await one.open('settings')
      const values = { method: 'profile', traits: { email: 'wanted@example.com' } }
      runners.push(() => one.submit(form, values))
    }
    return { runners, succeeds: ({ status }) => status === 200 }
  },
  'the last way in that may be removed': async ({ browser }) => {
    const key = new Authenticator()
    const ben = browser()
    const form = await ben.open('registration')
    const passkey_register = key.create(optionsIn(form, 'passkey_create_data'))
    await ben.submit(form, { traits: { email: 'ben@example.com' }, passkey_register })
    assert.equal((await ben.whoami()).status, 401)
    const login = await ben.open('login')
    await ben.submit(login, { passkey_login: key.get(optionsIn(login, 'passkey_challenge')) })
    assert.equal((await add(ben, key)).status, 200)
    const ids = key.keys.map(({ id }) => Buffer.from(id, 'base64url').toString('hex'))
    const flows = [await ben.open('settings'), await ben.open('settings')]
    return {
      runners: ids.map((passkey_remove, n) => () => ben.submit(flows[n] as FlowAnswer, { passkey_remove })),
      succeeds: ({ status }) => status === 200,
    }
  },
}

for (const [secret, prepare] of Object.entries(SECRETS)) {
  test(`SEC-04 at two replicas at once ${secret} counts once`, async () => {
    const town = await replicas(CONFIG)
    await town.first.person(ADA)
    const ada = town.browser()
    await ada.signIn(ADA)
    const { runners, succeeds } = await prepare(town, ada)
    const answers = await Promise.all(runners.map((run) => run()))
    assert.equal(answers.filter(succeeds).length, 1)
    const broken = answers.filter(({ status }) => status >= 500)
    assert.deepEqual(
      broken.map(({ status }) => status),
      [],
    )
  })
}

test('SEC-04 of two hundred wrong guesses at two replicas at once exactly five are compared', async () => {
  const { first, browser } = await replicas()
  await first.person(ADA)
  const stranger = browser()
  const form = await stranger.submit(await stranger.open('recovery'), { method: 'code', email: ADA })
  const code = other(await first.code(ADA))
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => stranger.submit(form, { method: 'code', code })),
  )
  assert.equal(answers.filter(({ body }) => body.state === 'sent_email').length, 5)
})

function times(run: () => Promise<Answer>): (() => Promise<Answer>)[] {
  return Array.from({ length: MANY }, () => run)
}

function same(browser: Browser, form: FlowAnswer, values: object) {
  return times(() => browser.submit(form, values))
}

/** Many browsers that have given the password, each at its own form. */
async function atSecondFactors({ browser }: Replicas, proof: () => object): Promise<Race> {
  const runners = []
  for (let n = 0; n < MANY; n += 1) {
    const one = browser()
    await one.signIn(ADA)
    const form = await one.open('login', '?aal=aal2')
    runners.push(() => one.submit(form, proof()))
  }
  return { runners, succeeds: ({ status }) => status === 200 }
}
