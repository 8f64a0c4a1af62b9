import assert from 'node:assert/strict'
import type { Answer } from '../../src/testing/answers.ts'
import type { App, Browser } from '../../src/testing/clients.ts'
import type { TestIdentity } from './kit.ts'

export const TOKENIZER = {
  session: { whoami: { tokenizer: { templates: { my_app_jwt: { ttl: '10m' } } } } },
}

export type Held = Readonly<Record<string, string>>

export function cookieHeld({ cookies }: Browser): Held {
  return { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
}

export function tokenHeld({ token }: App): Held {
  assert.ok(token, 'the app is signed in')
  return { 'x-session-token': token }
}

const ASKED = ['/sessions/whoami', '/sessions/whoami?tokenize_as=my_app_jwt', '/sessions']

/** Returns the distinct statuses of all requests that read the session or start to change the account. */
export async function statusesOf(identity: TestIdentity, held: Held): Promise<number[]> {
  const app = identity.app()
  const settings = `/self-service/settings/${held.cookie === undefined ? 'api' : 'browser'}`
  const bearer = held['x-session-token'] && { authorization: `Bearer ${held['x-session-token']}` }
  const answers: Answer[] = []
  for (const headers of bearer ? [held, bearer] : [held]) {
    for (const path of [...ASKED, settings]) answers.push(await app.send('GET', path, undefined, headers))
  }
  return [...new Set(answers.map(({ status }) => status))]
}
