import { hooksAfter } from '../../config/after-method.ts'
import type { Context } from '../../contract/contract.ts'
import { HookRefusal, ProtocolError, WrongProof } from '../../errors/errors.ts'
import { hidesUnproven } from '../../identities/addresses/proof.ts'
import { attempt } from '../../limits/attempt.ts'
import { countAttempt } from '../../limits/limits.ts'
import { updateFlow } from '../../storage/flows/flows.ts'
import type { CountedAttempt } from '../../storage/limits.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import { messages } from '../../ui/messages.ts'
import type { CompletedStep, Outcome } from '../form/decision.ts'
import { oauth2Login } from '../form/oauth2-login.ts'
import { withoutForm } from '../form/render.ts'
import { screenUrl } from '../form/urls.ts'
import { rememberBrowser } from '../ownership/take-over.ts'
import { showVerification, startVerification, unverifiedAddress } from '../ownership/verify-address.ts'
import { hasHook } from './hooks.ts'
import { callWebHook } from './web-hooks.ts'

/** Not stored yet. */
export type LoggedIn = SessionAndIdentity & CompletedStep<'login'>

/** These hooks may reject a sign-in despite a correct credential. */
export async function runAfterLogin(ctx: Context, loggedIn: LoggedIn): Promise<Outcome | undefined> {
  const { flow, identity, session, completion, caller } = loggedIn
  const event = {
    flow: { ...flow, active: completion.method },
    identity,
    session: { session, identity },
    caller,
    transient_payload: completion.transient_payload,
  }
  for (const { hook, config } of hooksAfter(ctx, 'login', completion.method)) {
    if (hook === 'web_hook' && config) await callWebHook(ctx, config, event)
    if (hook !== 'require_verified_address') continue
    const earlyOutcome = await requireVerifiedAddress(ctx, loggedIn, completion.method)
    if (earlyOutcome) return earlyOutcome
  }
  return undefined
}

/** The form that a first factor opens for an unverified address, if configured. */
export async function countVerification(
  ctx: Context,
  { flow, identity, completion: { method } }: Pick<LoggedIn, 'flow' | 'identity' | 'completion'>,
): Promise<CountedAttempt | undefined> {
  if (!ctx.config.selfservice.flows.verification.enabled || !unverifiedAddress(identity)) return undefined
  if (flow.requested_aal !== 'aal1' || !hasHook(ctx, 'login', method, 'verification')) return undefined
  return await countAttempt(ctx, { kind: 'flow' })
}

/**
 * Redirects browsers to the form for a new code. Scripts and apps get 403
 * `session_verified_address_required`. Sends no code if the response must match a wrong password's, because
 * the email limit would reveal the correct one (SEC-82).
 */
async function requireVerifiedAddress(
  ctx: Context,
  cause: LoggedIn,
  method: string,
): Promise<Outcome | undefined> {
  const addresses = cause.identity.addresses.filter(({ purpose }) => purpose === 'verification')
  if (addresses.some(({ verified_at }) => verified_at !== undefined)) return undefined
  const address = unverifiedAddress(cause.identity)
  if (!address)
    throw new ProtocolError({
      id: 'invalid_configuration',
      status: 500,
      reason: 'The hook require_verified_address needs an identity schema with an address to verify.',
    })
  if (ctx.config.feature_flags.legacy_require_verified_login_error) {
    if (method === 'password') throw new HookRefusal([{ message: messages.addressNotVerified }])
    return undefined
  }
  const { registersUnproven } = ctx.strategies.find(({ id }) => id === method) ?? {}
  if (registersUnproven && hidesUnproven(ctx, cause.flow, cause.identity.id)) {
    rememberAside(ctx, cause)
    throw new WrongProof(method, cause.identity.id, messages.invalidCredentials, 'not_verified')
  }
  // Each attempt stores a flow (FLT-23).
  const bound = await countAttempt(ctx, { kind: 'flow' })
  await rememberBrowser(ctx, cause.identity.id, cause.caller)
  // The user may submit this form again once the address is verified.
  const refused = attempt.write({ ...cause.flow, active: method }, undefined)
  await updateFlow(ctx.db, withoutForm(refused))
  const memo = oauth2Login.entry(oauth2Login.read(cause.flow))
  const started = await startVerification(ctx, { ...cause, bound, memo }, address)
  if (cause.flow.type === 'browser' && !cause.caller.json) {
    return { kind: 'elsewhere', url: screenUrl(ctx, 'verification', started.flow.id), status: 303 }
  }
  throw new ProtocolError({
    id: 'session_verified_address_required',
    status: 403,
    code: 400,
    reason: 'Please confirm your address first. A new code is on its way to it.',
    details: { continue_with: [showVerification(ctx, started, { always_url: true })] },
  })
}

/** Runs after the response, so that timing reveals nothing (SEC-14). */
function rememberAside(ctx: Context, { identity, caller }: LoggedIn): void {
  ctx.background.run('remembered browsers', async () => {
    try {
      await rememberBrowser(ctx, identity.id, caller)
    } catch (err) {
      ctx.log.error({ err, identity_id: identity.id }, 'browser of a login could not be stored')
    }
  })
}
