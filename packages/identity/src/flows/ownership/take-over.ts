import { cancelDeletion } from '../../account/deletion.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { recordEvent } from '../../events/record.ts'
import { isDerived } from '../../identities/create.ts'
import { updateIdentity } from '../../identities/update.ts'
import { findLiveSession } from '../../sessions/find.ts'
import { revokeAllSessions } from '../../sessions/revoke.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { deletePendingChanges } from '../../storage/identities/address-changes.ts'
import { listCredentials, replaceIdentifiers } from '../../storage/identities/credentials.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import { deleteAddresses } from '../../storage/identities/identities.ts'
import {
  addSignUpBrowser,
  findSignUp,
  insertSignUp,
  recordFirstProof,
} from '../../storage/identities/sign-ups.ts'
import type { Method } from '../../wire/flow.ts'
import { stepNamed } from '../form/steps.ts'

// An attacker can register with a victim's address and wait: once the victim verifies it, the attacker would share the
// account (SEC-24). So the first verification of an address, by whatever flow, removes what was set up before, unless
// it comes from the browser that registered or from a native app's own form. Accounts created by operators are exempt:
// an attacker cannot have planted those. A verification by an operator is no proof: the owner's own still comes (SEC-84).

/** The caller who verifies an address, and the flow. */
export interface Proving {
  readonly flow: Flow
  readonly caller: Caller
}

/**
 * Records the browser in which an account is registered; `csrf` is its CSRF secret from now on. Call inside `transact`.
 */
export async function rememberSignUp(
  ctx: Context,
  identityId: string,
  { csrf, caller, proven }: { readonly csrf: string; readonly caller: Caller; readonly proven: boolean },
): Promise<void> {
  const secrets = csrf === '' ? [] : [csrf, ...(caller.csrf.sent ? [caller.csrf.secret] : [])]
  const browsers = secrets.map((secret) => markOf(ctx, secret))
  await insertSignUp(ctx.db, identityId, { browsers, proven_at: proven ? ctx.now().toISOString() : null })
}

/** A browser that knew the password before an address was verified counts like the one that registered. */
export async function rememberBrowser(ctx: Context, identityId: string, { csrf }: Caller): Promise<void> {
  if (csrf.sent) await addSignUpBrowser(ctx.db, identityId, markOf(ctx, csrf.secret))
}

/** Whether this browser registered the account, or knew its password before an address was verified. */
export async function registeredHere(ctx: Context, identityId: string, { csrf }: Caller): Promise<boolean> {
  // Apps send none: they need no statement.
  if (!csrf.sent) return false
  const signUp = await findSignUp(ctx.db, identityId)
  return signUp?.browsers.includes(markOf(ctx, csrf.secret)) ?? false
}

/** Whether a verification by this caller would be the first and remove what was set up. */
export async function removesSetUp(
  ctx: Context,
  identity: StoredIdentity,
  { flow, caller }: Proving,
): Promise<boolean> {
  if (!ctx.config.selfservice.flows.verification.enabled) return false
  const signUp = await findSignUp(ctx.db, identity.id)
  if (!signUp || signUp.proven) return false
  if (isTypedInApp(ctx, flow, caller)) return false
  const session = await findLiveSession(ctx, caller)
  if (session?.identity.id === identity.id) return false
  return !(await registeredHere(ctx, identity.id, caller))
}

/**
 * Records the user's first verification. If it comes from elsewhere, removes what was set up before: credentials,
 * sessions, a scheduled deletion. `before` and `proven` are the identity without and with the verification. Call inside
 * `transact`, before a new session is stored.
 */
export async function takeOver(
  ctx: Context,
  before: StoredIdentity,
  proven: StoredIdentity,
  proving: Proving,
): Promise<StoredIdentity> {
  const removes = await removesSetUp(ctx, before, proving)
  await recordFirstProof(ctx.db, before.id, ctx.now().toISOString())
  if (!removes) return proven
  const own = await listCredentials(ctx.db, proven.id)
  const remove = own.filter((one) => !isDerived(one)).map(({ type }) => type as Method)
  const addresses = proven.addresses.filter(({ verified_at }) => verified_at !== undefined)
  const isOwners = (value: string) => addresses.some((address) => address.value === value)
  // Other addresses may be the attacker's: they can no longer be used for recovery.
  const others = proven.addresses.filter(({ purpose, value }) => purpose === 'recovery' && !isOwners(value))
  await deleteAddresses(
    ctx.db,
    others.map(({ id }) => id),
  )
  for (const credential of own.filter(isDerived)) {
    await replaceIdentifiers(ctx.db, credential, credential.identifiers.filter(isOwners))
  }
  await deletePendingChanges(ctx.db, proven.id)
  await revokeAllSessions(ctx, proven.id)
  const { identity } = await updateIdentity(ctx, proven.id, { remove })
  await cancelDeletion(ctx, identity)
  const event = { event: 'address_claimed', outcome: 'ok', detail: 'set_up_removed' } as const
  await recordEvent(ctx, { ...event, identity_id: proven.id })
  return identity
}

/**
 * A native app cannot be recognised, and verifies as in Kratos: with a code that its user types. An emailed link opens
 * in a browser, whose first request may have neither a cookie nor an Origin.
 */
function isTypedInApp(ctx: Context, flow: Flow, { origin, has_cookies }: Caller): boolean {
  if (flow.kind !== 'verification' || flow.type !== 'api') return false
  return !stepNamed(ctx, flow, flow.active)?.fromLink && origin === undefined && !has_cookies
}

/** Identifies a browser by its CSRF secret, which no other browser has. */
function markOf(ctx: Context, secret: string): string {
  return ctx.secrets.mac('sign-up', secret)
}
