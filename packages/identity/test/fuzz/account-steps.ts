import assert from 'node:assert/strict'
import { ensure, type Step, succeeded } from './step.ts'
import type { Account, Form, Model, Name, World } from './world.ts'
import { accountOf, count, EMAILS, endRecoveries, endSessions, isOver, liveAt, send, turn } from './world.ts'

const PRIVILEGED_MS = 15 * 60_000

interface Change {
  readonly email?: string
  readonly password?: string
  readonly name?: string
}

export const change = (at: Name, values: Change): Step => ({
  name: `change ${JSON.stringify(values)}`,
  at,
  check: (model) => liveAt(model, at) !== undefined || model.visitors[at].form?.kind === 'settings',
  async run(model, real) {
    const form = await ensure(model, real, at, 'settings')
    const account = liveAt(model, at)
    if (!form || (account && values.email === account.email)) return
    const expected = account !== undefined && !isOver(real, form) && mayChange(model, real, at, values)
    const answer = await send(real, at, form, bodyOf(values, account))
    assert.equal(succeeded(form, answer), expected, JSON.stringify(answer.body))
    if (answer.status === 410) delete model.visitors[at].form
    if (expected) apply(model, form, account, values)
  },
})

function bodyOf({ email, password, name }: Change, account: Account | undefined): object {
  if (password !== undefined) return { method: 'password', password }
  const traits = { email: email ?? account?.email ?? EMAILS[0], ...(name === undefined ? {} : { name }) }
  return { method: 'profile', traits }
}

function apply(model: Model, form: Form, account: Account, { email, password }: Change): void {
  form.state = 'success'
  if (password !== undefined) {
    account.password = password
    endRecoveries(model, account)
  }
  if (email !== undefined) Object.assign(account, { email, verified: false, address: {} })
}

function mayChange(model: Model, real: World, at: Name, { email, password }: Change): boolean {
  const session = model.visitors[at].session
  const isApp = at === 'phone'
  if (email === undefined && password === undefined && !(isApp && session?.account.verified)) return true
  if (!session || session.proved_at + PRIVILEGED_MS <= real.identity.now().getTime()) return false
  if (password !== undefined) return password.length > 6 && password !== session.account.password
  return email === undefined || accountOf(model, email) === undefined
}

export const signOut = (at: Name): Step => ({
  name: 'sign out',
  at,
  check: (model) => liveAt(model, at) !== undefined,
  async run(model, real) {
    const { [at]: client, phone } = real.clients
    if (at === 'phone') {
      await client.send('DELETE', '/self-service/logout/api', { session_token: phone.token }, {})
      phone.token = undefined
    } else {
      const { logout_token } = (await client.send('GET', '/self-service/logout/browser', undefined, {})).body
      const strange = await client.send('GET', '/self-service/logout?token=strange', undefined, {})
      assert.equal(strange.status, 403)
      await client.send('GET', `/self-service/logout?token=${logout_token}`, undefined, {})
    }
    count(real, 'logout done')
    turn(model.visitors[at])
  },
})

export const revokeOthers = (at: Name): Step => ({
  name: 'end all other sessions',
  at,
  check: (model) => liveAt(model, at) !== undefined,
  async run(model, real) {
    const account = liveAt(model, at)
    await real.clients[at].send('DELETE', '/sessions', undefined, {})
    count(real, 'logout others')
    endSessions(model, account, at)
  },
})

export const wait = (minutes: number): Step => ({
  name: `wait ${minutes} minutes`,
  at: 'laptop',
  async run(_model, real) {
    real.identity.advance(minutes * 60_000)
  },
})

export const operate = (email: string, what: 'delete' | 'switch'): Step => ({
  name: `${what} the account of ${email}`,
  at: 'laptop',
  check: (model) => accountOf(model, email) !== undefined,
  async run(model, real) {
    const account = accountOf(model, email) as Account
    const found = await real.identity.admin('GET', `/admin/identities?credentials_identifier=${email}`)
    const path = `/admin/identities/${found.body[0].id}`
    if (what === 'delete') {
      await real.identity.admin('DELETE', path)
      model.accounts = model.accounts.filter((one) => one !== account)
      return
    }
    account.active = !account.active
    const value = account.active ? 'active' : 'inactive'
    await real.identity.admin('PATCH', path, [{ op: 'replace', path: '/state', value }])
  },
})
