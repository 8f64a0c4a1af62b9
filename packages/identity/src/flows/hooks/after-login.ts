import { hooksAfter } from '../../config/after-method.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import type { Done } from '../../contract/done.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import type { Outcome } from '../form/decision.ts'
import { requireVerifiedAddress } from './require-verified-address.ts'
import { callWebHook } from './web-hook.ts'

/** The session to be issued, with its credential and form. */
export interface LoggedIn extends SessionAndIdentity {
  readonly flow: Flow<'login'>
  readonly done: Done['login']
  readonly caller: Caller
}

/** Hooks that may reject a sign-in despite a correct credential; an outcome ends the request. */
export async function runAfterLogin(ctx: Context, loggedIn: LoggedIn): Promise<Outcome | undefined> {
  const { flow, identity, session, done, caller } = loggedIn
  const event = {
    flow: { ...flow, active: done.method },
    identity,
    session: { session, identity },
    caller,
    transient_payload: done.transient_payload,
  }
  for (const { hook, config } of hooksAfter(ctx, 'login', done.method)) {
    if (hook === 'web_hook' && config) await callWebHook(ctx, config, event)
    if (hook !== 'require_verified_address') continue
    const earlyOutcome = await requireVerifiedAddress(ctx, loggedIn, done.method)
    if (earlyOutcome) return earlyOutcome
  }
  return undefined
}
