import assert from 'node:assert/strict'
import { other } from '../kit/recovery-kit.ts'
import { ensure, enter, formAt, type Step, succeeded } from './step.ts'
import type { Account, Form, Model, Name, World } from './world.ts'
import {
  accountOf,
  cookieOf,
  count,
  endRecoveries,
  endSessions,
  hasBudget,
  isOver,
  liveAt,
  send,
  use,
} from './world.ts'

const CODE_MS = 10 * 60_000

export const ask = (at: Name, kind: 'recovery' | 'verification', email: string): Step => ({
  name: `ask for a ${kind} code to ${email}`,
  at,
  check: (model) => hasBudget(model, email),
  async run(model, real) {
    const form = await ensure(model, real, at, kind)
    if (!form) return
    const account = accountOf(model, email)
    const before = (await real.identity.mails(email)).length
    const answer = await send(real, at, form, { method: 'code', email })
    const mails = (await real.identity.mails(email)).length - before
    const isFree = kind === 'verification' || !liveAt(model, at)
    const expected = isFree && !isOver(real, form) && form.state !== 'passed_challenge'
    assert.equal(answer.body.state === 'sent_email', expected, JSON.stringify(answer.body))
    assert.equal(mails, expected && account ? 1 : 0)
    if (!expected) return void delete model.visitors[at].form
    use(model, email)
    Object.assign(form, { state: 'sent_email', sent_to: email })
    delete form.code
    if (account) form.code = await codeIn(real, account)
  },
})

async function codeIn(real: World, { email, address }: Account): Promise<NonNullable<Form['code']>> {
  const expires_at = real.identity.now().getTime() + CODE_MS
  return { text: await real.identity.code(email), address, expires_at }
}

export const type = (at: Name, by: Name, isRight: boolean): Step => ({
  name: `type the ${isRight ? 'right' : 'wrong'} code at the ${by} into the form`,
  at,
  check(model) {
    const { form } = model.visitors[at]
    if (form?.sent_to === undefined || !hasBudget(model, form.sent_to)) return false
    return by === at || form.kind === 'verification'
  },
  async run(model, real) {
    const form = formAt(model, at)
    const account = isRight ? accountByCode(model, real, at) : undefined
    form.attempts += 1
    use(model, form.sent_to ?? '')
    const answer = await send(real, by, form, { method: 'code', code: typed(form, isRight) })
    if (mustSignIn(model, real, { at, by }, account)) return assert.equal(answer.status, 422)
    assert.equal(succeeded(form, answer), account !== undefined, JSON.stringify(answer.body))
    if (account) return pass(model, real, at, by, account)
    if (answer.status !== 200 || answer.body.state !== 'sent_email') delete model.visitors[at].form
  },
})

function pass(model: Model, real: World, at: Name, by: Name, account: Account): void {
  const form = formAt(model, at)
  form.state = 'passed_challenge'
  count(real, `${form.kind} proven`)
  if (isStranger(model, real, { at, by }, account)) takeOver(model, account)
  account.verified = true
  if (form.kind === 'recovery') {
    endRecoveries(model, account)
    enter(model, real, at, account)
  }
  // The form continues in the browser that submitted the code.
  if (by !== at) delete model.visitors[at].form
}

function typed({ code }: Form, isRight: boolean): string {
  const text = code?.text ?? '000000'
  return isRight ? text : other(text)
}

function mustSignIn(model: Model, real: World, where: Where, account: Account | undefined): boolean {
  const { kind } = formAt(model, where.at)
  if (kind !== 'verification' || account?.password === undefined) return false
  return isStranger(model, real, where, account)
}

interface Where {
  readonly at: Name
  readonly by: Name
}

/** An unverified account was set up by another client. Apps keep it. */
function isStranger(model: Model, real: World, { at, by }: Where, account: Account): boolean {
  if (account.verified || liveAt(model, by) === account || (at === 'phone' && by === 'phone')) return false
  return !(account.browsers?.includes(cookieOf(real, by) ?? '') ?? true)
}

/** SEC-24: the first proof outside the registering browser removes earlier credentials. */
function takeOver(model: Model, account: Account): void {
  account.password = undefined
  endSessions(model, account)
}

/** The account whose address the correct code verifies, if it is still valid. */
function accountByCode(model: Model, real: World, at: Name): Account | undefined {
  const form = formAt(model, at)
  const { code, kind, state, attempts } = form
  if (kind === 'recovery' && liveAt(model, at)) return undefined
  if (!code || code.expires_at <= real.identity.now().getTime()) return undefined
  if (isOver(real, form) || state !== 'sent_email' || attempts >= 5) return undefined
  const account = model.accounts.find(({ address }) => address === code.address)
  return kind === 'recovery' && !account?.active ? undefined : account
}
