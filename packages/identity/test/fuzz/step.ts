import assert from 'node:assert/strict'
import type { Answer } from '../../src/testing/answers.ts'
import { letsIn } from '../kit/recovery-kit.ts'
import type { Account, Form, Kind, Model, Name, World } from './world.ts'
import { count, EMAILS, liveAt, PASSWORDS, turn } from './world.ts'

export interface Step {
  readonly name: string
  readonly at: Name
  check?(model: Model): boolean
  run(model: Model, real: World): Promise<void>
}

/** It must exist. */
export function formAt(model: Model, at: Name): Form {
  return model.visitors[at].form as Form
}

/** Opens one if needed. Undefined if the client may not have one. */
export async function ensure(model: Model, real: World, at: Name, kind: Kind): Promise<Form | undefined> {
  const { form } = model.visitors[at]
  return form?.kind === kind ? form : await begin(model, real, at, kind)
}

export async function begin(model: Model, real: World, at: Name, kind: Kind): Promise<Form | undefined> {
  const flow = await real.clients[at].open(kind)
  const owner = liveAt(model, at)
  const opens = kind === 'verification' || (kind === 'settings') === (owner !== undefined)
  assert.equal(flow.status === 200, opens, `${kind}: ${flow.status}`)
  if (!opens) return undefined
  const { state, expires_at } = flow.body as typeof flow.body & { expires_at: string }
  count(real, `${kind} ${state}`)
  const form = { flow, kind, owner, state, attempts: 0, expires_at: Date.parse(expires_at) }
  model.visitors[at].form = form
  return form
}

export function succeeded({ kind }: Form, answer: Answer): boolean {
  switch (kind) {
    case 'login':
    case 'registration':
      return answer.status === 200
    case 'recovery':
      return letsIn(answer)
    case 'verification':
      // A refused submission keeps the proof.
      return answer.body?.state === 'passed_challenge' && answer.status === 200
    case 'settings':
      return answer.body?.state === 'success' && answer.status === 200
  }
}

export function valuesFor(kind: Kind): object {
  const [email, password] = [EMAILS[0], PASSWORDS[0]]
  const values = {
    login: { method: 'password', identifier: email, password },
    registration: { method: 'password', password, traits: { email: EMAILS[2] } },
    recovery: { method: 'code', code: '000000' },
    verification: { method: 'code', code: '000000' },
    settings: { method: 'profile', traits: { email, name: 'Ada' } },
  }
  return values[kind]
}

export function enter(model: Model, real: World, at: Name, account: Account): void {
  turn(model.visitors[at], { account, proved_at: real.identity.now().getTime() })
}
