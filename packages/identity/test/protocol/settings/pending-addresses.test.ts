import assert from 'node:assert/strict'
import type { Answer, FlowAnswer } from '../../../src/testing/answers.ts'
import { fieldMessageIds, messageIds, nodeOf, tokenOf, verificationIn } from '../../../src/testing/answers.ts'
import { Authenticator } from '../../../src/testing/authenticator.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { add, enter, PASSKEYS, withPasskey } from '../../kit/passkeys.ts'
import { ADA, EVE } from '../../kit/recovery-kit.ts'

const NEW = 'new@example.com'
const AFTER = {
  profile: { hooks: [{ hook: 'verify_new_address' }] },
  password: { hooks: [{ hook: 'revoke_active_sessions' }] },
}
const WAITS = { selfservice: { flows: { settings: { after: AFTER } } } }

test('SEC-24 a new address takes effect with its code', async () => {
  const { identity, browser, saved } = await asked()
  const elsewhere = identity.browser()
  await elsewhere.signIn(ADA)
  assert.deepEqual([await addressOf(browser), messageIds(saved)], [ADA, [1050901]])
  assert.equal((await identity.browser().signIn(NEW)).status, 400)
  const done = await confirm(identity, browser, saved)
  assert.deepEqual([done.body.state, messageIds(done)], ['passed_challenge', [1050903]])
  assert.equal(await addressOf(browser), NEW)
  const { identity: owner } = (await browser.whoami()).body
  assert.equal(owner.verifiable_addresses[0].verified, true)
  assert.equal((await elsewhere.whoami()).status, 401)
  assert.equal((await identity.browser().signIn(NEW)).status, 200)
})

test('saves other traits at once', async () => {
  const identity = await createTestIdentity(WAITS)
  const browser = await signedIn(identity)
  await change(browser, { email: NEW, name: 'Ada' })
  assert.deepEqual((await browser.whoami()).body.identity.traits, { email: ADA, name: 'Ada' })
})

test('a pending address can be cancelled or get a new code', async () => {
  const { identity, browser } = await asked()
  const form = await browser.open('settings')
  const buttons = form.body.ui.nodes.flatMap(({ attributes }) =>
    'name' in attributes && attributes.name === 'pending_address' ? [attributes.value] : [],
  )
  assert.deepEqual(buttons, ['cancel', 'resend'])
  assert.deepEqual(fieldMessageIds(form, 'traits.email'), [1050901])
  const resent = await browser.submit(form, { method: 'profile', pending_address: 'resend' })
  assert.equal((await identity.mails(NEW)).length, 2)
  const gone = await browser.submit(await browser.open('settings'), { pending_address: 'cancel' })
  assert.deepEqual([gone.status, messageIds(gone)], [200, [1050001]])
  const late = await confirm(identity, browser, resent)
  assert.notEqual(late.body.state, 'passed_challenge')
  assert.equal(await addressOf(browser), ADA)
  const again = await browser.submit(await browser.open('settings'), { pending_address: 'cancel' })
  assert.deepEqual(messageIds(again), [4050901])
})

const ENDS: Record<string, (owner: Browser, identity: TestIdentity) => Promise<Answer>> = {
  'ending all other sessions': async (owner) => await owner.delete('/sessions'),
  'a new password': async (owner) =>
    await owner.submit(await owner.open('settings'), { method: 'password', password: 'battery staple 7' }),
  'an operator who ends all sessions': async (owner, identity) => {
    const { id } = (await owner.whoami()).body.identity
    await identity.admin('DELETE', `/admin/identities/${id}/sessions`)
    return await owner.signIn(ADA)
  },
}

for (const [what, end] of Object.entries(ENDS)) {
  test(`SEC-130 ${what} cancels the change of a stolen session`, async () => {
    const { identity, browser: thief, saved } = await asked()
    const owner = identity.browser()
    await owner.signIn(ADA)
    const [mail] = await identity.mails(NEW)
    const form = await formOf(thief, saved)
    assert.equal((await end(owner, identity)).status, 200)
    assert.equal((await thief.whoami()).status, 401)
    const code = await identity.code(NEW)
    await owner.submit(await follow(owner, [mail!]), { method: 'code', code })
    assert.equal(await addressOf(owner), ADA)
    await thief.submit(form, { method: 'code', email: NEW })
    assert.equal((await identity.mails(NEW)).length, 1)
  })
}

test('the verification flow sends another code', async () => {
  const { identity, browser, saved } = await asked()
  const form = await formOf(browser, saved)
  const resent = await browser.submit(form, { method: 'code', email: NEW })
  const done = await browser.submit(resent, { method: 'code', code: await identity.code(NEW) })
  assert.equal(done.body.state, 'passed_challenge')
})

test("SEC-24 another account's code changes nothing", async () => {
  const { identity, browser } = await asked()
  const reader = identity.browser()
  const form = await follow(reader, await identity.mails(NEW))
  const sent = await reader.submit(form, { method: 'code', code: await identity.code(NEW) })
  assert.deepEqual([sent.status, messageIds(sent).at(-1)], [400, 4050902])
  assert.equal(await addressOf(browser), ADA)
})

test('SEC-13 a taken address looks free', async () => {
  const [free, taken] = [await asked(), await asked(EVE)]
  const shape = ({ status, body }: Answer, email: string) =>
    JSON.stringify([status, body])
      .replaceAll(email, '<address>')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z|\d{10}|[\w+/]{86}==/g, '<x>')
  assert.equal(shape(taken.saved, EVE), shape(free.saved, NEW))
  const forms = [await formOf(free.browser, free.saved), await formOf(taken.browser, taken.saved)]
  assert.equal(shape(forms[1]!, EVE), shape(forms[0]!, NEW))
  const [mail] = await taken.identity.mails(EVE)
  assert.equal(mail?.template_type, 'address_taken')
  const resent = await taken.browser.submit(forms[1]!, { method: 'code', email: EVE })
  assert.equal(resent.body.state, 'sent_email')
  assert.equal((await taken.identity.mails(EVE)).length, 1)
})

test("FLT-28 a taken address's owner gets no more emails", async () => {
  const limits = { mail: { account: { burst: 2, refill: '1h' }, allowance: 'off' } }
  for (const email of [NEW, EVE]) {
    const identity = await createTestIdentity({ ...WAITS, limits })
    await identity.user(EVE)
    const browser = await signedIn(identity)
    for (let times = 0; times < 4; times += 1) await change(browser, { email })
    assert.equal((await identity.mails(email)).length, 2, email)
  }
})

test('SEC-77 limits free and taken addresses alike', async () => {
  const limits = { mail: { account: { burst: 3, refill: '1h' }, allowance: 'off' } }
  const refused = []
  for (const email of [NEW, EVE]) {
    const identity = await createTestIdentity({ ...WAITS, limits })
    await identity.user(EVE)
    const browser = await signedIn(identity)
    let form = await formOf(browser, await change(browser, { email }))
    const answers = []
    for (let times = 0; times < 5; times += 1) {
      form = await browser.submit(form, { method: 'code', email })
      answers.push([form.status, form.headers.get('retry-after')])
    }
    refused.push(answers)
  }
  assert.deepEqual(refused[1], refused[0])
  assert.deepEqual(
    refused[0]?.map(([status]) => status),
    [200, 200, 429, 429, 429],
  )
})

test('SEC-24 restoring the old address ends sessions and the password', async () => {
  const { identity, browser, saved } = await asked()
  await confirm(identity, browser, saved)
  const again = await change(browser, { email: 'third@example.com' })
  await confirm(identity, browser, again, 'third@example.com')
  await identity.browser().register(ADA)
  identity.advance(71 * 3_600_000)
  const [mail] = await identity.mails(ADA)
  assert.equal(mail?.template_type, 'address_changed')
  const { owner, form } = await openUndo(identity)
  assert.deepEqual(messageIds(form), [1050905])
  assert.equal(await addressOf(await signedIn(identity, 'third@example.com')), 'third@example.com')
  const done = await owner.submit(form, { method: 'link', token: nodeOf(form, 'token')?.value })
  assert.deepEqual([done.body.state, messageIds(done)], ['passed_challenge', [1050906]])
  assert.equal((await browser.whoami()).status, 401)
  for (const email of [ADA, NEW, 'third@example.com']) {
    assert.equal((await identity.browser().signIn(email)).status, 400)
  }
  const recovered = identity.browser()
  const asking = await recovered.submit(await recovered.open('recovery'), { method: 'code', email: ADA })
  await recovered.submit(asking, { method: 'code', code: await identity.code(ADA) })
  const dead = await follow(owner, await identity.mails(NEW))
  await owner.submit(dead, { method: 'link', token: nodeOf(dead, 'token')?.value })
  assert.equal(await addressOf(recovered), ADA)
})

test("SEC-24 restoring the address removes an attacker's passkeys", async () => {
  const flows = { settings: { ...PASSKEYS.selfservice.flows.settings, ...WAITS.selfservice.flows.settings } }
  const identity = await createTestIdentity({ selfservice: { ...PASSKEYS.selfservice, flows } })
  const { key } = await withPasskey(identity, ADA)
  identity.advance(7 * 24 * 3_600_000)
  const browser = identity.browser()
  await browser.signIn(ADA)
  const attackers = [new Authenticator(), new Authenticator()] as const
  assert.equal((await add(browser, attackers[0])).status, 200)
  identity.advance(60_000)
  const saved = await change(browser, { email: NEW })
  await confirm(identity, browser, saved)
  assert.equal((await add(browser, attackers[1])).status, 200)
  for (const one of attackers) assert.equal((await enter(identity.browser(), one)).status, 200)
  const { owner, form } = await openUndo(identity)
  await owner.submit(form, { method: 'link', token: nodeOf(form, 'token')?.value })
  for (const one of attackers) assert.equal((await enter(identity.browser(), one)).status, 400)
  const entered = identity.browser()
  assert.equal((await enter(entered, key)).status, 200)
  assert.equal(await addressOf(entered), ADA)
})

test("SEC-24 restoring the address cancels an attacker's deletion", async () => {
  const { identity, browser, saved } = await asked()
  await confirm(identity, browser, saved)
  const { id } = (await browser.whoami()).body
  assert.equal((await identity.account.requestDeletion(id)).kind, 'scheduled')
  const { owner, form } = await openUndo(identity)
  await owner.submit(form, { method: 'link', token: nodeOf(form, 'token')?.value })
  const [{ id: account }] = (await identity.admin('GET', `/admin/identities?credentials_identifier=${ADA}`))
    .body
  assert.equal(await identity.account.deletionDue(account), undefined)
  assert.ok((await identity.mails(ADA)).some((mail) => mail.template_type === 'account_deletion_cancelled'))
})

test('an old address cannot be restored after 72 hours', async () => {
  const { identity, browser, saved } = await asked()
  await confirm(identity, browser, saved)
  identity.advance(73 * 3_600_000)
  const { form } = await openUndo(identity)
  assert.deepEqual(messageIds(form), [4070005])
})

test('an unverified old address gets no restore link', async () => {
  const identity = await createTestIdentity(WAITS)
  const browser = identity.browser()
  await browser.register(ADA)
  await confirm(identity, browser, await change(browser, { email: NEW }))
  assert.equal(await addressOf(browser), NEW)
  assert.equal(
    (await identity.mails(ADA)).filter((mail) => mail.template_type === 'address_changed').length,
    0,
  )
})

test('a new address takes effect without hook or verification', async () => {
  for (const overrides of [
    {},
    { selfservice: { flows: { ...WAITS.selfservice.flows, verification: { enabled: false } } } },
  ]) {
    const identity = await createTestIdentity(overrides)
    const browser = await signedIn(identity)
    await change(browser, { email: NEW })
    assert.equal(await addressOf(browser), NEW)
  }
})

test("redirects a page to the code's form", async () => {
  const identity = await createTestIdentity(WAITS)
  const browser = await signedIn(identity)
  const form = await browser.open('settings')
  const fields = { csrf_token: String(tokenOf(form)), method: 'profile', 'traits.email': NEW }
  const { status, location } = await browser.post(form.body.ui.action, fields)
  assert.equal(status, 303)
  assert.match(location ?? '', /^http:\/\/app\.test\/verify\?flow=/)
})

async function asked(email = NEW): Promise<{ identity: TestIdentity; browser: Browser; saved: FlowAnswer }> {
  const identity = await createTestIdentity(WAITS)
  await identity.user(EVE)
  const browser = await signedIn(identity)
  const saved = await change(browser, { email })
  assert.equal(saved.status, 200)
  return { identity, browser, saved }
}

async function signedIn(identity: TestIdentity, email = ADA): Promise<Browser> {
  if (email === ADA) await identity.user(ADA)
  const browser = identity.browser()
  assert.equal((await browser.signIn(email, PASSWORD)).status, 200)
  return browser
}

async function change(browser: Browser, traits: object): Promise<FlowAnswer> {
  return await browser.submit(await browser.open('settings'), { method: 'profile', traits })
}

async function formOf(browser: Browser, saved: Answer): Promise<FlowAnswer> {
  return await browser.get(`/self-service/verification/flows?id=${verificationIn(saved)?.id}`)
}

async function confirm(identity: TestIdentity, browser: Browser, saved: Answer, email = NEW) {
  const form = await formOf(browser, saved)
  return await browser.submit(form, { method: 'code', code: await identity.code(email) })
}

async function addressOf(browser: Browser): Promise<string> {
  return (await browser.whoami()).body.identity.traits.email
}

async function follow(reader: Browser, [newest]: readonly { readonly body: string }[]): Promise<FlowAnswer> {
  const { location = '' } = await reader.navigate(newest?.body.match(/http\S+/)?.[0] ?? '')
  const id = new URL(location).searchParams.get('flow')
  return await reader.get(`/self-service/verification/flows?id=${id}`)
}

async function openUndo(identity: TestIdentity) {
  const owner = identity.browser()
  const mails = (await identity.mails(ADA)).filter((mail) => mail.template_type === 'address_changed')
  return { owner, form: await follow(owner, mails) }
}
