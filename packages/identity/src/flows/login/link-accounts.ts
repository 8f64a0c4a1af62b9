import type { Context } from '../../contract/contract.ts'
import type { LinkOffer } from '../../contract/done.ts'
import { WrongProof } from '../../errors/errors.ts'
import type { AccountLink } from '../../identities/named-account.ts'
import { LINK_OFFER, namedAccount } from '../../identities/named-account.ts'
import { withProvider } from '../../identities/provider-accounts.ts'
import { updateIdentity } from '../../identities/update.ts'
import type { IssuedSession } from '../../sessions/issue.ts'
import { continueSession } from '../../sessions/issue.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { listCredentials } from '../../storage/identities/credentials.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import { messages } from '../../ui/messages.ts'
import { notifyOfChange } from '../ownership/notify-owner.ts'

/** Throws `WrongProof` if the user signed in to another account, whose owner sees the attempt. */
export function assertNamed(flow: Flow<'login'>, identity: StoredIdentity, method: string): void {
  const account = namedAccount(flow)
  if (account && account.identity_id !== identity.id)
    throw new WrongProof(method, identity.id, messages.linkMismatch)
}

/** Call inside `transact`. */
export async function addLinked(
  ctx: Context,
  link: AccountLink,
  issued: IssuedSession,
): Promise<IssuedSession> {
  const entry = JSON.parse(ctx.secrets.decrypt(LINK_OFFER, link.offer)) as LinkOffer['entry']
  const own = await listCredentials(ctx.db, issued.identity.id)
  const updated = await updateIdentity(ctx, issued.identity.id, withProvider(own, entry))
  await notifyOfChange(ctx, issued.identity, updated)
  const proof = { method: link.method, aal: 'aal1' as const, provider: link.provider }
  return await continueSession(ctx, { ...issued, identity: updated.identity }, proof, issued.token)
}
