import assert from 'node:assert/strict'
import { type Answer, type FlowAnswer, nodeOf } from '../../src/testing/answers.ts'
import type { Browser } from '../../src/testing/clients.ts'
import { createTestIdentity, type TestIdentity } from './kit.ts'

export const ADA = 'ada@example.com'
export const EVE = 'eve@example.com'

export function other(code: string): string {
  return code === '000000' ? '000001' : '000000'
}

export const BY_LINK = {
  selfservice: {
    methods: { link: { enabled: true } },
    flows: { recovery: { use: 'link' }, verification: { use: 'link' } },
  },
}

export async function askForCode(
  overrides: Parameters<typeof createTestIdentity>[0] = {},
): Promise<{ identity: TestIdentity; browser: Browser; form: FlowAnswer; code: string }> {
  const identity = await createTestIdentity(overrides)
  await identity.user(ADA)
  const browser = identity.browser()
  const form = await browser.submit(await browser.open('recovery'), { method: 'code', email: ADA })
  assert.equal(form.body.state, 'sent_email')
  return { identity, browser, form, code: await identity.code(ADA) }
}

export async function linkTo(identity: TestIdentity, email: string): Promise<string> {
  const [mail] = await identity.mails(email)
  const link = mail?.body.match(/http\S+/)?.[0]
  assert.ok(link, `no link was mailed to ${email}`)
  return link
}

export function letsIn({ headers, body, location }: Answer): boolean {
  const text = JSON.stringify([headers.getSetCookie(), body, location])
  return /ory_kratos_session=ory_st|settings\?flow=|show_settings_ui|ory_session_token/.test(text)
}

export function settingsAfter({ body, location }: Answer): string {
  const id = /settings\?flow=([0-9a-f-]{36})/.exec(JSON.stringify([body, location]))?.[1]
  assert.ok(id, 'the answer leads to no settings')
  return id
}

/** Restores the address named in the email about a change. */
export async function undoChange(identity: TestIdentity, email: string): Promise<void> {
  const owner = identity.browser()
  const [mail] = (await identity.mails(email)).filter((one) => one.template_type === 'address_changed')
  const { location = '' } = await owner.navigate(mail?.body.match(/http\S+/)?.[0] ?? '')
  const id = new URL(location).searchParams.get('flow')
  const form: FlowAnswer = await owner.get(`/self-service/verification/flows?id=${id}`)
  const done = await owner.submit(form, { method: 'link', token: nodeOf(form, 'token')?.value })
  assert.equal(done.body.state, 'passed_challenge')
}
