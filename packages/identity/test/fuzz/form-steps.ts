import assert from 'node:assert/strict'
import { tokenOf } from '../../src/testing/answers.ts'
import { begin, ensure, enter, formAt, type Step, succeeded, valuesFor } from './step.ts'
import type { Form, Kind, Model, Name } from './world.ts'
import { accountOf, cookieOf, hasBudget, isOver, liveAt, send, use } from './world.ts'

export const open = (at: Name, kind: Kind): Step => ({
  name: `open ${kind}`,
  at,
  run: async (model, real) => void (await begin(model, real, at, kind)),
})

export const fetch = (at: Name): Step => ({
  name: 'fetch the form',
  at,
  check: hasForm(at),
  async run(model, real) {
    const form = formAt(model, at)
    const path = `/self-service/${form.kind}/flows?id=${form.flow.body.id}`
    const { status, body } = await real.clients[at].send('GET', path, undefined, {})
    if (form.kind === 'settings' && !liveAt(model, at)) return assert.equal(status, 401)
    assert.equal(status, isOver(real, form) ? 410 : 200)
    if (status === 200) assert.equal(body.state, form.state)
  },
})

/** Shows another user's form or submits it with the own token. */
export const meddle = (at: Name, by: Name, kind: Kind): Step => ({
  name: `the ${by} takes the ${kind} form`,
  at,
  // Settings belong to their user in both browsers, even after their session ended.
  check(model) {
    const { form } = model.visitors[at]
    const owner = form?.kind === kind ? form.owner : liveAt(model, at)
    return kind !== 'settings' || liveAt(model, by) !== owner
  },
  async run(model, real) {
    const form = await ensure(model, real, at, kind)
    if (!form) return
    const own = await real.clients[by].open('verification')
    const path = `/self-service/${form.kind}/flows?id=${form.flow.body.id}`
    assert.ok((await real.clients[by].send('GET', path, undefined, {})).status >= 400)
    const values = { ...valuesFor(form.kind), csrf_token: tokenOf(own) }
    const answer = await send(real, by, form, values)
    assert.equal(succeeded(form, answer), false, JSON.stringify(answer.body))
  },
})

export const stale = (at: Name): Step => ({
  name: 'send an earlier form',
  at,
  check: ({ visitors }) => visitors[at].stale !== undefined,
  async run(model, real) {
    const form = model.visitors[at].stale as Form
    assert.equal(succeeded(form, await send(real, at, form, valuesFor(form.kind))), false)
  },
})

export const wrongMethod = (at: Name, method: string): Step => ({
  name: `send the form with the method ${method}`,
  at,
  check: hasForm(at),
  async run(model, real) {
    const form = formAt(model, at)
    const answer = await send(real, at, form, { ...valuesFor(form.kind), method })
    assert.equal(succeeded(form, answer), false)
    // Kratos compatibility: these forms repeat the error.
    const isStuck = form.kind === 'recovery' || form.kind === 'verification'
    if (answer.status === 410 || isStuck) delete model.visitors[at].form
  },
})

export const login = (at: Name, email: string, password: string): Step => ({
  name: `sign in as ${email} with "${password}"`,
  at,
  async run(model, real) {
    const form = await ensure(model, real, at, 'login')
    if (!form) return
    const account = accountOf(model, email)
    const isRight = account?.active === true && account.password === password
    const expected = isRight && !isOver(real, form) && !liveAt(model, at)
    const answer = await send(real, at, form, { method: 'password', identifier: email, password })
    assert.equal(answer.status === 200, expected, JSON.stringify(answer.body))
    if (answer.status === 410) delete model.visitors[at].form
    if (!expected || !account) return
    enter(model, real, at, account)
    if (at === 'phone') real.clients.phone.token = answer.body.session_token
  },
})

export const register = (at: Name, email: string, password: string): Step => ({
  name: `register ${email} with "${password}"`,
  at,
  check: (model) => hasBudget(model, email),
  async run(model, real) {
    const form = await ensure(model, real, at, 'registration')
    if (!form) return
    const isFine = accountOf(model, email) === undefined && password.length > 6
    const expected = isFine && !isOver(real, form) && !liveAt(model, at)
    const before = cookieOf(real, at)
    const answer = await send(real, at, form, { method: 'password', password, traits: { email } })
    assert.equal(answer.status === 200, expected, JSON.stringify(answer.body))
    if (answer.status === 410) delete model.visitors[at].form
    if (!expected) return
    use(model, email)
    const browsers = [before, cookieOf(real, at)].filter((cookie) => cookie !== undefined)
    const account = { email, password, active: true, verified: false, address: {}, browsers }
    model.accounts.push(account)
    enter(model, real, at, account)
    if (at === 'phone') real.clients.phone.token = answer.body.session_token
  },
})

const hasForm = (at: Name) => (model: Model) => model.visitors[at].form !== undefined
