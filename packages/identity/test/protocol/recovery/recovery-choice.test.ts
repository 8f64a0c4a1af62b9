import assert from 'node:assert/strict'
import {
  type Answer,
  type FlowAnswer,
  fieldMessageIds,
  messageIds,
  nodeOf,
} from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, userSchema } from '../../kit/kit.ts'
import { ADA, BY_LINK, letsIn, linkTo } from '../../kit/recovery-kit.ts'

const SECOND = 'second@example.com'

test('an account with one address goes straight to the code', async () => {
  const { identity, browser, form } = await afterTyping(ADA, [])
  assert.deepEqual([form.body.state, messageIds(form)], ['recovery_awaiting_code', [1060004]])
  assert.ok(letsIn(await browser.submit(form, { code: await identity.code(ADA) })))
})

test('asks to choose among masked addresses and enter one in full', async () => {
  const { identity, browser, form } = await afterTyping(ADA, [SECOND])
  assert.equal(form.body.state, 'recovery_awaiting_address_choice')
  const offers = form.body.ui.nodes.filter((node) => nodeNameOf(node) === 'recovery_select_address')
  assert.deepEqual(
    offers.map(({ meta }) => meta.label?.text),
    ['ad****@example.com', 'se****@example.com'],
  )
  const chosen = await browser.submit(form, {
    recovery_address: ADA,
    recovery_select_address: offeredBy(offers[1]),
  })
  assert.deepEqual([chosen.body.state, messageIds(chosen)], ['recovery_confirming_address', [1060005]])
  const empty = await browser.submit(chosen, { recovery_confirm_address: '' })
  assert.deepEqual(fieldMessageIds(empty, 'recovery_confirm_address'), [4000002])
  const sent = await browser.submit(chosen, { recovery_confirm_address: SECOND })
  assert.equal((await identity.mails(ADA)).length, 0)
  assert.ok(letsIn(await browser.submit(sent, { code: await identity.code(SECOND) })))
  const { body } = await browser.whoami()
  const verified = body.identity.verifiable_addresses.filter((one: { verified: boolean }) => one.verified)
  assert.deepEqual(
    verified.map(({ value }: { value: string }) => value),
    [SECOND],
  )
})

test('an account with several addresses gets a link without choosing', async () => {
  const choosing = { feature_flags: { choose_recovery_address: true }, ...BY_LINK }
  const identity = await createTestIdentity(choosing)
  await identity.user(ADA)
  const browser = identity.browser()
  const sent = await browser.submit(await browser.open('recovery'), { method: 'link', email: ADA })
  assert.deepEqual([sent.body.state, messageIds(sent)], ['sent_email', [1060002]])
  assert.ok(letsIn(await browser.navigate(await linkTo(identity, ADA))))
})

test('back returns to the choice, or to the start', async () => {
  const several = await afterTyping(ADA, [SECOND])
  const [first] = several.form.body.ui.nodes.filter((node) => nodeNameOf(node) === 'recovery_select_address')
  const sent = await several.browser.submit(several.form, {
    recovery_address: ADA,
    recovery_select_address: offeredBy(first),
  })
  assert.equal(sent.body.state, 'recovery_awaiting_code')
  const back = await several.browser.submit(sent, { recovery_address: ADA, screen: 'previous' })
  assert.equal(back.body.state, 'recovery_awaiting_address_choice')
  const one = await afterTyping(ADA, [])
  const start = await one.browser.submit(one.form, { screen: 'previous' })
  assert.equal(start.body.state, 'recovery_awaiting_address')
})

test('an unknown address gets a form for a code that never arrives', async () => {
  const { identity, form } = await afterTyping('nobody@example.com', [])
  assert.deepEqual(
    [form.body.state, nodeOf(form, 'recovery_address')?.value],
    ['recovery_awaiting_code', 'nobody@example.com'],
  )
  assert.equal((await identity.mails('nobody@example.com')).length, 0)
})

test('SEC-02 requesting another address revokes the code', async () => {
  const { identity, browser, form } = await afterTyping(ADA, [])
  const code = await identity.code(ADA)
  const start = await browser.submit(form, { screen: 'previous' })
  const other = await browser.submit(start, { recovery_address: 'nobody@example.com' })
  const refused = await browser.submit(other, { code })
  assert.deepEqual([messageIds(refused), letsIn(refused)], [[4060006], false])
})

test('the field of an invalid address leaves with it', async () => {
  const { browser, form } = await afterTyping(ADA, [])
  const start = await browser.submit(form, { screen: 'previous' })
  const refused = await browser.submit(start, { email: 'nobody' })
  assert.deepEqual(fieldMessageIds(refused, 'email'), [4000040])
  const sent = await browser.submit(refused, { recovery_address: ADA })
  assert.deepEqual([sent.body.state, nodeOf(sent, 'email')], ['recovery_awaiting_code', undefined])
})

test('rejects an invalid choice', async () => {
  const { browser, form } = await afterTyping(ADA, [SECOND])
  const refused = await browser.submit(form, {
    recovery_address: ADA,
    recovery_select_address: 'bm90aGluZw==',
  })
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4000001]])
  assert.equal(refused.body.state, 'recovery_awaiting_address_choice')
})

test('rejects a choice without recovery_address', async () => {
  const { browser, form } = await afterTyping(ADA, [SECOND])
  const offers = form.body.ui.nodes.filter((node) => nodeNameOf(node) === 'recovery_select_address')
  const refused = await browser.submit(form, { recovery_select_address: offeredBy(offers[1]) })
  assert.deepEqual([refused.status, fieldMessageIds(refused, 'recovery_address')], [400, [4000002]])
  const chosen = await browser.submit(refused, {
    recovery_address: ADA,
    recovery_select_address: offeredBy(offers[1]),
  })
  const start = await browser.submit(chosen, { screen: 'previous' })
  assert.equal(start.body.state, 'recovery_awaiting_address')
})

test('SEC-34 the token of the form is checked before its address', async () => {
  const { browser, form } = await afterTyping(ADA, [])
  const start = await browser.submit(form, { screen: 'previous' })
  const refused: Answer = await browser.submit(start, { method: 'code', csrf_token: 'wrong' })
  assert.deepEqual([refused.status, refused.body.error?.id], [403, 'security_csrf_violation'])
})

async function afterTyping(typed: string, others: readonly string[]) {
  const { email } = userSchema.properties.traits.properties
  const properties = { email, others: { type: 'array', items: { ...email, title: 'Other' } } }
  const traits = { ...userSchema.properties.traits, properties }
  const schema = { ...userSchema, properties: { traits } }
  const identity = await createTestIdentity({
    feature_flags: { choose_recovery_address: true },
    identity: { schemas: [{ id: 'default', schema }] },
  })
  const made = await identity.admin('POST', '/admin/identities', { traits: { email: ADA, others } })
  assert.equal(made.status, 201)
  const browser = identity.browser()
  const form = await browser.submit(await browser.open('recovery'), { recovery_address: typed })
  return { identity, browser, form }
}

type Node = FlowAnswer['body']['ui']['nodes'][number]

function nodeNameOf({ attributes }: Node): string {
  return 'name' in attributes ? attributes.name : ''
}

function offeredBy(node: Node | undefined): unknown {
  return node && 'value' in node.attributes ? node.attributes.value : undefined
}
