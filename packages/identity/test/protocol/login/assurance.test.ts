import assert from 'node:assert/strict'
import type { Answer, FlowAnswer } from '../../../src/testing/answers.ts'
import type { App, Browser } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { ADA, addBackupCodes, addTotp, codeOf } from '../../kit/factors.ts'
import type { TestIdentity } from '../../kit/kit.ts'
import type { House, Way } from '../../kit/sign-in-methods.ts'
import { BROWSER_FIRST_FACTORS, FIRST_FACTORS, openHouse } from '../../kit/sign-in-methods.ts'

type Caller = Browser | App

const OWNED: Record<string, (house: House) => Promise<object>> = {
  'an authenticator app': async ({ identity, owner }) => {
    const secret = await addTotp(identity, owner)
    return { method: 'totp', totp_code: codeOf(identity, secret) }
  },
  'backup codes': async ({ owner }) => {
    const [lookup_secret] = await addBackupCodes(owner)
    return { method: 'lookup_secret', lookup_secret }
  },
}

/** For an aal1 session, once the account has a second factor. `open` is an earlier settings form. */
const GUARDED: Record<string, (caller: Caller, open: FlowAnswer) => Promise<Answer>> = {
  whoami: (caller) => get(caller, '/sessions/whoami'),
  'a token of the session': (caller) => get(caller, '/sessions/whoami?tokenize_as=my_app_jwt'),
  'the list of sessions': (caller) => get(caller, '/sessions'),
  'opening settings': (caller) => caller.open('settings'),
  'reading settings': (caller, open) => get(caller, `/self-service/settings/flows?id=${open.body.id}`),
  'changing settings': (caller, open) =>
    caller.submit(open, { method: 'profile', traits: { email: ADA, name: 'Eve' } }),
}

for (const [first, way] of Object.entries({ ...FIRST_FACTORS, ...BROWSER_FIRST_FACTORS })) {
  matrix(first, 'a browser', way, (identity) => identity.browser())
}
for (const [first, way] of Object.entries(FIRST_FACTORS)) {
  matrix(first, 'an app', way, (identity) => identity.app())
}

function matrix<C extends Caller>(
  first: string,
  kind: string,
  way: Way<C>,
  caller: (identity: TestIdentity) => C,
): void {
  for (const [owned, own] of Object.entries(OWNED)) {
    test(`SEC-17 with ${first} and ${owned}, ${kind} needs both factors`, async () => {
      const house = await openHouse(first)
      const begin = await way(house)
      const [before, after] = [caller(house.identity), caller(house.identity)]
      await enter(before, await begin(before))
      const open = await before.open('settings')
      await assertOpen(before, open)
      const proof = await own(house)
      assertTellsNothing(await enter(after, await begin(after)))
      for (const one of [before, after]) await assertShut(one, open)
      const done = await before.submit(await before.open('login', '?aal=aal2'), proof)
      assert.equal(done.status, 200)
      await assertOpen(before, open)
    })
  }
}

async function enter(caller: Caller, finish: () => Promise<Answer>): Promise<Answer> {
  const entered = await finish()
  if ('token' in caller) caller.token = entered.body.session_token
  return entered
}

function get(caller: Caller, path: string): Promise<Answer> {
  return caller.send('GET', path, undefined, {})
}

async function assertOpen(caller: Caller, open: FlowAnswer): Promise<void> {
  for (const [what, ask] of Object.entries(GUARDED)) assert.equal((await ask(caller, open)).status, 200, what)
}

async function assertShut(caller: Caller, open: FlowAnswer): Promise<void> {
  for (const [what, ask] of Object.entries(GUARDED)) {
    const answer = await ask(caller, open)
    assert.deepEqual([answer.status, answer.body.error?.id], [403, 'session_aal2_required'], what)
    assert.match(answer.body.redirect_browser_to, /\/self-service\/login\/browser\?aal=aal2/)
    assertTellsNothing(answer)
  }
}

function assertTellsNothing({ body }: Answer): void {
  assert.doesNotMatch(JSON.stringify(body), /eyJ|ada@example/)
}
