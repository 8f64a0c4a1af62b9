import type { Caller } from '../../contract/caller.ts'
import type { LinkOffer } from '../../contract/completion.ts'
import type { Context } from '../../contract/contract.ts'
import { WrongProof } from '../../errors/errors.ts'
import { hasProof, hidesUnproven } from '../../identities/addresses/proof.ts'
import { type AccountLink, accountLink, LINK_OFFER, namedAccount } from '../../identities/named-account.ts'
import { withProvider } from '../../identities/provider-accounts.ts'
import { releaseProviders } from '../../identities/unproven-set-up.ts'
import { evidenceOfChange, updateIdentity } from '../../identities/update.ts'
import { confirmContinued } from '../../sessions/confirm.ts'
import { continueSession, type IssuedSession } from '../../sessions/issue.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { listCredentials } from '../../storage/identities/credentials.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import { messages } from '../../ui/messages.ts'
import type { CookieChanges, OpenFlow } from '../form/decision.ts'
import { oauth2Login } from '../form/oauth2-login.ts'
import { loginUrl, screenUrl } from '../form/urls.ts'
import { notifyOfChange } from '../ownership/notify-owner.ts'
import { secondStep } from './start.ts'

/**
 * Carries the link offer to the second factor's form. Kratos compatibility: scripts get the form directly.
 */
export function continueLinking(
  ctx: Context,
  flow: Flow<'login'>,
  { identity }: IssuedSession,
  { cookies, caller }: { readonly cookies: CookieChanges; readonly caller: Caller },
): OpenFlow<'login'> {
  const { type, return_to } = flow
  const memo = { ...accountLink.copy(flow), ...oauth2Login.copy(flow) }
  return {
    kind: 'open',
    into: 'login',
    cookies,
    request: {
      type,
      request_url: loginUrl(ctx, {
        aal: 'aal2',
        login_challenge: oauth2Login.read(flow)?.challenge,
        return_to,
      }),
      csrf_secret: cookies.csrf,
    },
    start: {
      fields: { requested_aal: 'aal2', identity_id: identity.id, memo, ...(return_to && { return_to }) },
      messages: [secondStep(ctx, identity)],
    },
    outcomeOf: (next) =>
      caller.json
        ? { kind: 'form', flow: next, status: 200, cookies }
        : { kind: 'elsewhere', url: screenUrl(ctx, 'login', next.id), status: 303, cookies },
  }
}

/**
 * Throws `WrongProof` if the user signed in to another account, whose owner sees the attempt. Kratos compatibility: a
 * link says so, unless that reveals that the account's address was free (SEC-13).
 */
export function assertNamed(
  ctx: Context,
  flow: Flow<'login'>,
  identity: StoredIdentity,
  method: string,
): void {
  const account = namedAccount(flow)
  if (!account || account.identity_id === identity.id) return
  const isHidden = !hasProof(identity) && hidesUnproven(ctx, flow, identity.id)
  const message = accountLink.read(flow) && !isHidden ? messages.linkMismatch : messages.invalidCredentials
  throw new WrongProof(method, identity.id, message)
}

/** Call inside `transact`. */
export async function addLinked(
  ctx: Context,
  link: AccountLink,
  issuedSession: IssuedSession,
): Promise<IssuedSession> {
  const entry = JSON.parse(ctx.secrets.decrypt(LINK_OFFER, link.offer)) as LinkOffer['entry']
  const credentials = await listCredentials(ctx.db, issuedSession.identity.id)
  const linked = withProvider(credentials, entry)
  await releaseProviders(ctx, linked.put)
  const updatedIdentity = await updateIdentity(ctx, issuedSession.identity.id, linked)
  await notifyOfChange(ctx, issuedSession.identity, updatedIdentity)
  const proof = { method: link.method, aal: 'aal1' as const, provider: link.provider }
  const current = { ...issuedSession, identity: updatedIdentity.identity }
  const confirmed = await confirmContinued(ctx, current, evidenceOfChange(updatedIdentity, link.method))
  return await continueSession(ctx, confirmed, proof, issuedSession.token)
}
