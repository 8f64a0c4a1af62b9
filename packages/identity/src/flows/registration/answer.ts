import type { Context } from '../../contract/contract.ts'
import { transact } from '../../contract/transact.ts'
import { evidenceOfNew } from '../../identities/create.ts'
import { publicIdentity } from '../../identities/show.ts'
import { confirm } from '../../sessions/confirm.ts'
import { type IssuedSession, issueSession } from '../../sessions/issue.ts'
import { publicSession } from '../../sessions/show.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import type { ContinueWith } from '../../wire/flow.ts'
import type { CompletedStep, CookieChanges, Outcome } from '../form/decision.ts'
import { keepCookies } from '../form/later-failure.ts'
import { continueOAuth2Login, oauth2Login } from '../form/oauth2-login.ts'
import { returnUrl } from '../form/return-to.ts'
import { screenUrl } from '../form/urls.ts'
import { hasHook } from '../hooks/hooks.ts'
import { mentionedVerification, type ShownVerification } from '../ownership/verify-address.ts'

export interface Registered {
  readonly identity: StoredIdentity
  readonly verification: ShownVerification | undefined
  readonly session: IssuedSession | undefined
}

export async function answerRegistration(
  ctx: Context,
  { flow, completion: { method } }: CompletedStep<'registration'>,
  registered: Registered,
  csrf: string,
): Promise<Outcome> {
  const { verification, session } = registered
  const returnTo = returnUrl(ctx, flow, 'registration', method)
  const isShown = verification !== undefined && hasHook(ctx, 'registration', method, 'show_verification_ui')
  const continueWith = mentionedVerification(ctx, verification, isShown)
  if (flow.type === 'api')
    return { kind: 'finished', flow, url: returnTo, body: nativeBody(ctx, registered, continueWith) }
  const login = isShown ? undefined : oauth2Login.read(flow)
  const cookies: CookieChanges = { csrf: session || verification ? csrf : undefined, session }
  const url = login
    ? await keepCookies({ cookies }, () => continueOAuth2Login(ctx, login, session))
    : returnTo
  const continue_with: ContinueWith[] = [
    { action: 'redirect_browser_to', redirect_browser_to: url },
    ...continueWith,
  ]
  const next = isShown ? screenUrl(ctx, 'verification', verification.flow.id) : url
  return { kind: 'finished', flow, url: next, cookies, body: { ...account(ctx, registered), continue_with } }
}

function nativeBody(ctx: Context, registered: Registered, continueWith: readonly ContinueWith[]): object {
  const { session } = registered
  if (!session)
    return { ...account(ctx, registered), continue_with: continueWith.length === 0 ? null : continueWith }
  const token: ContinueWith = { action: 'set_ory_session_token', ory_session_token: session.token }
  return {
    session_token: session.token,
    ...account(ctx, registered),
    continue_with: [...continueWith, token],
  }
}

function account(ctx: Context, { identity, session }: Registered): object {
  return {
    ...(session ? { session: publicSession(ctx, session) } : {}),
    identity: publicIdentity(ctx, identity),
  }
}

export async function signInRegistered(
  ctx: Context,
  identity: StoredIdentity,
  { completion: { method, provider }, caller }: CompletedStep<'registration'>,
): Promise<IssuedSession> {
  const proof = { method, aal: 'aal1' as const, provider }
  // Hooks take time.
  const evidence = evidenceOfNew(identity, method)
  return await transact(ctx, async (ctx) => {
    const confirmed = await confirm(ctx, { session: proof, identity }, evidence)
    return await issueSession(ctx, confirmed, proof, caller)
  })
}
