import assert from 'node:assert/strict'
import type { Answer, FlowAnswer } from '../../src/testing/answers.ts'
import type { App, Browser } from '../../src/testing/clients.ts'
import { createTestIdentity, type TestIdentity } from '../kit/kit.ts'

export const KINDS = ['login', 'registration', 'recovery', 'verification', 'settings'] as const
export type Kind = (typeof KINDS)[number]
export const NAMES = ['laptop', 'tablet', 'phone'] as const
export type Name = (typeof NAMES)[number]

export const EMAILS = ['ada@example.com', 'eve@example.com', 'new@example.com']
export const PASSWORDS = ['correct horse 9 battery', 'battery staple 7 horse', 'seven quiet words 5']

export interface Account {
  email: string
  password: string | undefined
  active: boolean
  verified: boolean
  /** Replaced at every change of address, which revokes earlier codes. */
  address: object
  /** CSRF cookies of the registering browser; absent for an operator's account. */
  browsers?: readonly string[]
}

export interface Form {
  readonly flow: FlowAnswer
  readonly kind: Kind
  readonly expires_at: number
  /** Signed in when it was opened. */
  readonly owner: Account | undefined
  state: string
  attempts: number
  sent_to?: string
  code?: { readonly text: string; readonly address: object; readonly expires_at: number }
}

interface Visitor {
  form?: Form
  stale?: Form
  session?: { readonly account: Account; readonly proved_at: number }
}

export interface Model {
  accounts: Account[]
  readonly visitors: Record<Name, Visitor>
  readonly uses: Map<string, number>
}

export interface World {
  readonly identity: TestIdentity
  readonly clients: { readonly laptop: Browser; readonly tablet: Browser; readonly phone: App }
  readonly seen: Map<string, number>
}

export async function newWorld(seen: Map<string, number>): Promise<{ model: Model; real: World }> {
  const identity = await createTestIdentity()
  const accounts: Account[] = []
  for (const email of EMAILS.slice(0, 2)) {
    await identity.user(email)
    accounts.push({ email, password: PASSWORDS[0] ?? '', active: true, verified: true, address: {} })
  }
  const clients = { laptop: identity.browser(), tablet: identity.browser(), phone: identity.app() }
  const visitors = { laptop: {}, tablet: {}, phone: {} }
  return { model: { accounts, visitors, uses: new Map() }, real: { identity, clients, seen } }
}

export function liveAt(model: Model, name: Name): Account | undefined {
  const account = model.visitors[name].session?.account
  return account?.active && model.accounts.includes(account) ? account : undefined
}

export function cookieOf({ clients }: World, name: Name): string | undefined {
  if (name === 'phone') return undefined
  return [...clients[name].cookies].find(([cookie]) => cookie.startsWith('csrf_token'))?.[1]
}

export function endSessions(model: Model, account: Account | undefined, stays?: Name): void {
  for (const name of NAMES.filter((one) => one !== stays)) {
    if (model.visitors[name].session?.account === account) delete model.visitors[name].session
  }
}

/** A recovery or a new password ends all of the account's recovery codes. */
export function endRecoveries(model: Model, { address }: Account): void {
  for (const { form, stale } of Object.values(model.visitors)) {
    for (const one of [form, stale])
      if (one?.kind === 'recovery' && one.code?.address === address) one.code = { ...one.code, expires_at: 0 }
  }
}

export function accountOf(model: Model, email: string): Account | undefined {
  return model.accounts.find((one) => one.email === email)
}

export function hasBudget(model: Model, email: string): boolean {
  return (model.uses.get(email) ?? 0) < 9
}

export function use(model: Model, email: string): void {
  model.uses.set(email, (model.uses.get(email) ?? 0) + 1)
}

export function turn(visitor: Visitor, session?: Visitor['session']): void {
  if (visitor.form) visitor.stale = visitor.form
  delete visitor.form
  delete visitor.session
  if (session) visitor.session = session
}

export function isOver(real: World, form: Form): boolean {
  return real.identity.now().getTime() >= form.expires_at
}

let submissions = 0

export async function send(real: World, name: Name, form: Form, values: object): Promise<Answer> {
  const over = isOver(real, form)
  // Equal submissions would get the first answer again.
  const transient_payload = { submission: submissions++ }
  const answer: Answer = await real.clients[name].submit(form.flow, { ...values, transient_payload })
  assert.ok(answer.status < 500, `${form.kind} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  const fate = over ? 'expired' : (answer.body?.state ?? (answer.status < 300 ? 'finished' : 'refused'))
  count(real, `${form.kind} ${fate}`)
  return answer
}

export function count({ seen }: World, what: string): void {
  seen.set(what, (seen.get(what) ?? 0) + 1)
}

/**
 * After every step, each client is signed in as modelled (I2, I6), the number of accounts (I7) and
 * their verified addresses (I4) match, and email goes only to addresses of accounts or
 * registrations (I5).
 */
export async function assertAsBelieved(model: Model, real: World): Promise<void> {
  for (const name of NAMES) {
    const { status, body } = await real.clients[name].send('GET', '/sessions/whoami', undefined, {})
    const account = liveAt(model, name)
    const believed = account ? [200, account.email] : [401, undefined]
    assert.deepEqual([status, body.identity?.traits.email], believed, `who is signed in at the ${name}`)
  }
  const { body } = await real.identity.admin('GET', '/admin/identities')
  const stored = body.map(
    (one: { traits: { email: string }; state: string; verifiable_addresses: [Proof] }) =>
      [one.traits.email, one.state, one.verifiable_addresses[0].verified].join(),
  )
  const believed = model.accounts.map(({ email, active, verified }) =>
    [email, active ? 'active' : 'inactive', verified].join(),
  )
  assert.deepEqual(stored.toSorted(), believed.toSorted())
  for (const { recipient } of await real.identity.listMails(5)) assert.ok(EMAILS.includes(recipient))
}

interface Proof {
  readonly verified: boolean
}
