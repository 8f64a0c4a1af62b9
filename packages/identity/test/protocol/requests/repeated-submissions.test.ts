import assert from 'node:assert/strict'
import type { Answer, FlowAnswer } from '../../../src/testing/answers.ts'
import { secretIn } from '../../../src/testing/answers.ts'
import type { App } from '../../../src/testing/clients.ts'
import { Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { testOnEach as test } from '../../kit/databases.ts'
import { ADA, addBackupCodes, addTotp, codeOf, SECOND_FACTORS } from '../../kit/factors.ts'
import type { Merge, TestIdentity } from '../../kit/kit.ts'
import { createTestIdentity, merge, VERIFIED_ONLY } from '../../kit/kit.ts'

const NEW = 'new@example.com'
const CODES = { selfservice: { methods: { code: { passwordless_enabled: true } } } }
const WAITING = merge(VERIFIED_ONLY, { security: { account_enumeration: { mitigate: true } } })

interface Ready {
  readonly browser: Browser
  readonly flow: FlowAnswer
  readonly values: object
}

type Prepare = (identity: TestIdentity) => Promise<Ready>

const register =
  (email: string, more: object = {}): Prepare =>
  async (identity) => {
    await identity.user(ADA)
    const browser = identity.browser()
    const flow = await browser.open('registration')
    return { browser, flow, values: { method: 'password', password: PASSWORD, traits: { email }, ...more } }
  }

const byCode =
  (kind: 'recovery' | 'verification', sends: boolean): Prepare =>
  async (identity) => {
    await identity.user(ADA)
    const browser = identity.browser()
    const flow = await browser.open(kind)
    const values = { method: 'code', email: ADA }
    if (sends) return { browser, flow, values }
    const asked = await browser.submit(flow, values)
    return { browser, flow: asked, values: { method: 'code', code: await identity.code(ADA) } }
  }

const inSettings =
  (values: (identity: TestIdentity, flow: FlowAnswer) => object): Prepare =>
  async (identity) => {
    const browser = await identity.signedIn(ADA)
    const flow = await browser.open('settings')
    return { browser, flow, values: values(identity, flow) }
  }

/** Every submission that ends a flow or sends an email. A new method gets a row. */
const SUBMISSIONS: Readonly<Record<string, readonly [Merge, Prepare]>> = {
  'registration by password': [{}, register(NEW)],
  'registration that waits for its address': [WAITING, register(NEW)],
  'registration of a taken address': [WAITING, register(ADA)],
  'registration by code': [
    CODES,
    async (identity) => {
      const browser = identity.browser()
      const traits = { email: NEW }
      const asked = await browser.submit(await browser.open('registration'), { method: 'code', traits })
      return { browser, flow: asked, values: { method: 'code', traits, code: await identity.code(NEW) } }
    },
  ],
  'request for a registration code': [
    CODES,
    async (identity) => {
      const browser = identity.browser()
      const flow = await browser.open('registration')
      return { browser, flow, values: { method: 'code', traits: { email: NEW } } }
    },
  ],
  'request for a login code': [
    CODES,
    async (identity) => {
      await identity.user(ADA)
      const browser = identity.browser()
      return { browser, flow: await browser.open('login'), values: { method: 'code', identifier: ADA } }
    },
  ],
  'login by code': [
    CODES,
    async (identity) => {
      await identity.user(ADA)
      const browser = identity.browser()
      const asked = await browser.submit(await browser.open('login'), { method: 'code', identifier: ADA })
      return {
        browser,
        flow: asked,
        values: { method: 'code', identifier: ADA, code: await identity.code(ADA) },
      }
    },
  ],
  'login by password': [
    {},
    async (identity) => {
      await identity.user(ADA)
      const browser = identity.browser()
      const values = { method: 'password', identifier: ADA, password: PASSWORD }
      return { browser, flow: await browser.open('login'), values }
    },
  ],
  'second factor by TOTP': [
    SECOND_FACTORS,
    async (identity) => {
      const secret = await addTotp(identity, await identity.signedIn(ADA))
      const browser = identity.browser()
      await browser.signIn(ADA)
      const flow = await browser.open('login', '?aal=aal2')
      return { browser, flow, values: { method: 'totp', totp_code: codeOf(identity, secret) } }
    },
  ],
  'second factor by backup code': [
    SECOND_FACTORS,
    async (identity) => {
      const [code] = await addBackupCodes(await identity.signedIn(ADA))
      const browser = identity.browser()
      await browser.signIn(ADA)
      const flow = await browser.open('login', '?aal=aal2')
      return { browser, flow, values: { method: 'lookup_secret', lookup_secret: code } }
    },
  ],
  'request for a recovery code': [{}, byCode('recovery', true)],
  'recovery by code': [{}, byCode('recovery', false)],
  'request for a verification code': [{}, byCode('verification', true)],
  'verification by code': [{}, byCode('verification', false)],
  'new password': [{}, inSettings(() => ({ method: 'password', password: 'other quiet words' }))],
  'new name': [{}, inSettings(() => ({ method: 'profile', traits: { email: ADA, name: 'Ada' } }))],
  'new address': [{}, inSettings(() => ({ method: 'profile', traits: { email: NEW } }))],
  'set-up of TOTP': [
    SECOND_FACTORS,
    inSettings((identity, flow) => ({ method: 'totp', totp_code: codeOf(identity, secretIn(flow)) })),
  ],
  'confirmation of backup codes': [
    SECOND_FACTORS,
    async (identity) => {
      const browser = await identity.signedIn(ADA)
      const values = { method: 'lookup_secret', lookup_secret_regenerate: true }
      const flow = await browser.submit(await browser.open('settings'), values)
      return { browser, flow, values: { method: 'lookup_secret', lookup_secret_confirm: true } }
    },
  ],
}

const TAKEN = 'registration of a taken address'
/** In Kratos' protocol, these say that a code is wrong. */
const CALLS_CODE_WRONG = [4000008, 4000016, 4010008, 4040003, 4060006, 4070006]

for (const [name, [config, prepare]] of Object.entries(SUBMISSIONS)) {
  for (const way of ['again', 'twice at once'] as const) {
    test(`SEC-113 a ${name} sent ${way} neither harms nor lies`, async () => {
      const identity = await createTestIdentity(config)
      const { browser, flow, values } = await prepare(identity)
      const mailsBefore = (await identity.listMails(1000)).length
      // Still has the cookies from before the first answer.
      const senders = [browser, browser.twin()]
      const answers = await send(senders, way, (one) => one.submit(flow, values))
      const ids = answers.flatMap(({ body }) =>
        (body?.ui?.messages ?? []).map(({ id }: { id: number }) => id),
      )
      assert.deepEqual(
        ids.filter((id: number) => CALLS_CODE_WRONG.includes(id)),
        [],
      )
      assert.ok(answers.every(({ status }) => status < 500))
      if (!name.startsWith('registration')) return
      assert.deepEqual(resultOf(answers[1]), resultOf(answers[0]))
      assert.ok((await identity.listMails(1000)).length - mailsBefore <= 1)
      const { body } = await identity.admin('GET', '/admin/identities')
      const accounts = body.map(({ traits }: { traits: { email: string } }) => traits.email)
      assert.equal(accounts.length, new Set(accounts).size)
      for (const sender of senders) await assertCanVerify(identity, sender, answers[1], name === TAKEN)
    })
  }
}

async function send(
  senders: readonly Browser[],
  way: 'again' | 'twice at once',
  submit: (one: Browser) => Promise<Answer>,
): Promise<readonly Answer[]> {
  if (way === 'twice at once') return await Promise.all(senders.map(submit))
  const answers: Answer[] = []
  for (const one of senders) answers.push(await submit(one))
  return answers
}

function resultOf(answer: Answer | undefined) {
  const { identity, continue_with } = answer?.body ?? {}
  return { status: answer?.status, identity: identity?.id, continue_with }
}

async function assertCanVerify(
  identity: TestIdentity,
  browser: Browser,
  answer: Answer | undefined,
  isTaken: boolean,
): Promise<void> {
  const shown = answer?.body.continue_with.find(
    ({ action }: { action: string }) => action === 'show_verification_ui',
  )
  if (!shown) return
  const flow = await browser.get(`/self-service/verification/flows?id=${shown.flow.id}`)
  assert.equal(flow.status, 200)
  if (isTaken || flow.body.state === 'passed_challenge') return
  const done: Answer = await browser.submit(flow, { method: 'code', code: await identity.code(NEW) })
  assert.equal(done.body.state, 'passed_challenge')
}

test('SEC-113 only the same browser and input get the first answer again', async () => {
  const identity = await createTestIdentity(WAITING)
  const browser = identity.browser()
  const flow = await browser.open('registration')
  const values = { method: 'password', password: PASSWORD, traits: { email: NEW } }
  const twin = browser.twin()
  const late = browser.twin()
  const first: Answer = await browser.submit(flow, values)
  const stranger = await identity.browser().submit(flow, values)
  assert.equal(stranger.status, 403)
  const other: Answer = await twin.submit(flow, { ...values, password: 'other quiet words' })
  assert.notEqual(other.body.identity.id, first.body.identity.id)
  identity.advance(6 * 60_000)
  const again: Answer = await late.submit(flow, values)
  assert.notEqual(again.body.identity?.id, first.body.identity.id)
})

const SIGNS_IN = merge(CODES, {
  selfservice: { flows: { registration: { after: { code: { hooks: [{ hook: 'session' }] } } } } },
})

for (const caller of ['browser', 'app'] as const) {
  test(`SEC-116 after a logout, the registration of a ${caller} by code is not answered again`, async () => {
    const identity = await createTestIdentity(SIGNS_IN)
    const client = identity[caller]()
    const traits = { email: NEW }
    const asked = await client.submit(await client.open('registration'), { method: 'code', traits })
    const values = { method: 'code', traits, code: await identity.code(NEW) }
    const late = client instanceof Browser ? client.twin() : client
    const first: Answer = await client.submit(asked, values)
    const again: Answer = await late.submit(asked, values)
    assert.deepEqual([first.status, again.status], [200, 200])
    await signOut(client, first)
    const replayed: Answer = await late.submit(asked, values)
    assert.deepEqual([replayed.status, replayed.body.session], [400, undefined])
  })
}

async function signOut(client: Browser | App, { body }: Answer): Promise<void> {
  const session_token = body.session_token
  const left =
    client instanceof Browser
      ? await client.navigate(
          new URL((await client.get('/self-service/logout/browser')).body.logout_url).href,
        )
      : await client.send('DELETE', '/self-service/logout/api', { session_token })
  assert.ok(left.status < 400)
}
