import type { Caller } from '../../caller.ts'
import type { Context } from '../../contract.ts'
import { updateIdentity } from '../../identities/update.ts'
import { findLiveSession } from '../../sessions/find.ts'
import { revokeOtherSessions } from '../../sessions/revoke.ts'
import { deletePendingChanges } from '../../storage/address-changes.ts'
import { listCredentials, replaceIdentifiers } from '../../storage/credentials.ts'
import type { Flow } from '../../storage/flows.ts'
import type { StoredIdentity } from '../../storage/identities.ts'
import { deleteAddresses } from '../../storage/identities.ts'
import { addSignUpBrowser, findSignUp, insertSignUp } from '../../storage/sign-ups.ts'
import type { Method } from '../../wire/flow.ts'

// An attacker may register with a victim's address and wait: as soon as the victim proves it, the attacker would share
// their account (SEC-24). So the first proof of an address, by verification, recovery or a code, ends what was set up
// before, unless it comes from the browser that registered or from a native app's own form. Accounts that an operator
// made are spared: no attacker planted those.

/** Who proves an address, and in which flow. */
export interface Proving {
  readonly flow: Flow
  readonly caller: Caller
}

/** Remembers in which browser an account is registered; `csrf` is the secret it has from now on. Inside `transact`. */
export async function rememberSignUp(
  ctx: Context,
  identityId: string,
  { csrf, caller }: { readonly csrf: string; readonly caller: Caller },
): Promise<void> {
  const secrets = csrf === '' ? [] : [csrf, ...(caller.csrf.sent ? [caller.csrf.secret] : [])]
  await insertSignUp(
    ctx.db,
    identityId,
    secrets.map((secret) => markOf(ctx, secret)),
  )
}

/** A browser that knew the password before an address was proven counts like the one that registered. */
export async function rememberBrowser(ctx: Context, identityId: string, { csrf }: Caller): Promise<void> {
  if (csrf.sent) await addSignUpBrowser(ctx.db, identityId, markOf(ctx, csrf.secret))
}

/** Whether this browser registered the account, or knew its password before an address was proven. */
export async function registeredHere(ctx: Context, identityId: string, { csrf }: Caller): Promise<boolean> {
  const browsers = await findSignUp(ctx.db, identityId)
  return csrf.sent && (browsers ?? []).includes(markOf(ctx, csrf.secret))
}

/** Whether a proof by this caller would be the first and end what was set up. */
export async function endsSetUp(
  ctx: Context,
  identity: StoredIdentity,
  { flow, caller }: Proving,
): Promise<boolean> {
  if (!ctx.config.selfservice.flows.verification.enabled || isProven(identity)) return false
  if (!(await findSignUp(ctx.db, identity.id))) return false
  if (isTypedInApp(flow, caller)) return false
  const session = await findLiveSession(ctx, caller)
  if (session?.identity.id === identity.id) return false
  return !(await registeredHere(ctx, identity.id, caller))
}

/**
 * Ends what was set up before the first proof, sessions included, where it comes from elsewhere. `before` and `proven`
 * are the identity without and with the proof. To be called inside `transact`, before a new session is stored.
 */
export async function takeOver(
  ctx: Context,
  before: StoredIdentity,
  proven: StoredIdentity,
  proving: Proving,
): Promise<StoredIdentity> {
  if (!isProven(proven) || !(await endsSetUp(ctx, before, proving))) return proven
  const own = await listCredentials(ctx.db, proven.id)
  const remove = own.map(({ type }) => type as Method).filter((type) => type !== 'code')
  const addresses = proven.addresses.filter(({ verified_at }) => verified_at !== undefined)
  const isOwners = (value: string) => addresses.some((address) => address.value === value)
  // An address beside the proven one may be the attacker's: it no longer leads into the account.
  const others = proven.addresses.filter(({ purpose, value }) => purpose === 'recovery' && !isOwners(value))
  await deleteAddresses(
    ctx.db,
    others.map(({ id }) => id),
  )
  for (const credential of own.filter(({ type }) => type === 'code')) {
    await replaceIdentifiers(ctx.db, credential, credential.identifiers.filter(isOwners))
  }
  await deletePendingChanges(ctx.db, proven.id)
  await revokeOtherSessions(ctx, proven.id, '')
  return (await updateIdentity(ctx, proven.id, { remove })).identity
}

function isProven({ addresses }: StoredIdentity): boolean {
  return addresses.some(({ verified_at }) => verified_at !== undefined)
}

/**
 * A native app has nothing by which it could be recognized, and verifies as Kratos lets it: with a code that its user
 * types. A mailed link is a browser's, whose first request may carry neither a cookie nor an Origin.
 */
function isTypedInApp({ kind, type, active }: Flow, { origin, has_cookies }: Caller): boolean {
  return (
    kind === 'verification' && type === 'api' && active === 'code' && origin === undefined && !has_cookies
  )
}

/** A browser by the secret in its CSRF cookie, which no other browser has. */
function markOf(ctx: Context, secret: string): string {
  return ctx.secrets.mac('sign-up', secret)
}
