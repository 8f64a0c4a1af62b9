import { cancelDeletion } from '../../account/deletion.ts'
import { publicUrl } from '../../config/base-url.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { FormError } from '../../errors/errors.ts'
import { recordEvent } from '../../events/record.ts'
import { hasProof } from '../../identities/addresses/proof.ts'
import { isDerived } from '../../identities/create.ts'
import { firstFactors } from '../../identities/factors.ts'
import { awaitedProof } from '../../identities/named-account.ts'
import { linkedProviders } from '../../identities/provider-accounts.ts'
import { updateIdentity } from '../../identities/update.ts'
import { findLiveSession } from '../../sessions/find.ts'
import { revokeAllSessions } from '../../sessions/revoke.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { listCredentials, replaceIdentifiers } from '../../storage/identities/credentials.ts'
import { deleteAddresses, type StoredIdentity } from '../../storage/identities/identities.ts'
import {
  addSignUpBrowser,
  findSignUp,
  insertSignUp,
  recordFirstProof,
} from '../../storage/identities/sign-ups.ts'
import { endPendingSignIns } from '../../storage/sessions/ended-sessions.ts'
import { ownMessages } from '../../ui/own-messages.ts'
import type { Method } from '../../wire/flow.ts'
import { csrfCookieForVisitor } from '../form/csrf.ts'
import type { CompletedStep, OpenFlow } from '../form/decision.ts'
import { stepNamed } from '../form/steps.ts'
import { screenUrl } from '../form/urls.ts'

// A victim who verifies an attacker's registration would share the account (SEC-24). In another browser
// than the registering one, a verification therefore waits for a sign-in (`askToSignIn`), and a
// recovery or a sign-in by code removes earlier credentials and sessions. Operators' accounts are exempt,
// and an operator's verification is not the owner's (SEC-84).

interface Proving {
  readonly flow: Flow
  readonly caller: Caller
}

/** `csrf` is the browser's new CSRF secret. Call inside `transact`. */
export async function rememberSignUp(
  ctx: Context,
  identityId: string,
  { csrf, caller, proven }: { readonly csrf: string; readonly caller: Caller; readonly proven: boolean },
): Promise<void> {
  const secrets = csrf === '' ? [] : [csrf, ...(caller.csrf.sent ? [caller.csrf.secret] : [])]
  const browsers = secrets.map((secret) => markOf(ctx, secret))
  await insertSignUp(ctx.db, identityId, { browsers, proven_at: proven ? ctx.now().toISOString() : null })
}

/** The browser knew the password before an address was verified. */
export async function rememberBrowser(ctx: Context, identityId: string, { csrf }: Caller): Promise<void> {
  if (csrf.sent) await addSignUpBrowser(ctx.db, identityId, markOf(ctx, csrf.secret))
}

export async function registeredHere(ctx: Context, identityId: string, { csrf }: Caller): Promise<boolean> {
  // Apps send no cookies.
  if (!csrf.sent) return false
  const signUp = await findSignUp(ctx.db, identityId)
  return signUp?.browsers.includes(markOf(ctx, csrf.secret)) ?? false
}

async function removesSetUp(ctx: Context, identity: StoredIdentity, proving: Proving): Promise<boolean> {
  const signUp = await findSignUpElsewhere(ctx, identity, proving)
  return signUp !== undefined && !signUp.proven
}

/** Undefined for an operator's account, and where its user is known to be. */
async function findSignUpElsewhere(ctx: Context, identity: StoredIdentity, { flow, caller }: Proving) {
  if (!ctx.config.selfservice.flows.verification.enabled) return undefined
  const signUp = await findSignUp(ctx.db, identity.id)
  if (!signUp || keepsInApp(ctx, identity, { flow, caller })) return undefined
  const session = await findLiveSession(ctx, caller)
  if (session?.identity.id === identity.id) return undefined
  return (await registeredHere(ctx, identity.id, caller)) ? undefined : signUp
}

/**
 * `before` and `proven`: without and with the verification. Call inside `transact`, after `lockIdentity` and
 * before storing a session. Throws `FormError` for one more address of an account whose user proved another: its
 * owner would join that account (SEC-117).
 */
export async function takeOver(
  ctx: Context,
  seenIdentity: StoredIdentity,
  proven: StoredIdentity,
  proving: Proving,
): Promise<StoredIdentity> {
  const isNew = provenCount(proven) > provenCount(seenIdentity)
  if (isNew && hasProof(seenIdentity) && (await findSignUpElsewhere(ctx, seenIdentity, proving)))
    throw new FormError(ownMessages.signInToConfirm)
  const removes = await removesSetUp(ctx, seenIdentity, proving)
  await recordFirstProof(ctx.db, seenIdentity.id, ctx.now().toISOString())
  const owned = removes ? await removeSetUp(ctx, proven) : proven
  if (isNew) await ctx.product.verified(ctx, owned)
  return owned
}

function provenCount({ addresses }: StoredIdentity): number {
  return addresses.filter(({ verified_at }) => verified_at !== undefined).length
}

async function removeSetUp(ctx: Context, proven: StoredIdentity): Promise<StoredIdentity> {
  const credentials = await listCredentials(ctx.db, proven.id)
  const remove = credentials.filter((one) => !isDerived(one)).map(({ type }) => type as Method)
  const addresses = proven.addresses.filter(({ verified_at }) => verified_at !== undefined)
  const isOwners = (value: string) => addresses.some((address) => address.value === value)
  // Other recovery addresses may be the attacker's.
  const others = proven.addresses.filter(({ purpose, value }) => purpose === 'recovery' && !isOwners(value))
  const otherIds = others.map(({ id }) => id)
  await deleteAddresses(ctx.db, otherIds)
  for (const credential of credentials.filter(isDerived)) {
    await replaceIdentifiers(ctx.db, credential, credential.identifiers.filter(isOwners))
  }
  await endPendingSignIns(ctx.db, proven.id)
  await revokeAllSessions(ctx, proven.id)
  const { identity } = await updateIdentity(ctx, proven.id, { remove })
  await cancelDeletion(ctx, identity)
  const event = { event: 'address_claimed', outcome: 'ok', detail: 'set_up_removed' } as const
  await recordEvent(ctx, { ...event, identity_id: proven.id })
  return identity
}

/**
 * Native apps enter a code in their own form, which names the account since its registration or sign-in. A link
 * opens in a browser, whose first request may lack cookie and Origin.
 */
function keepsInApp(ctx: Context, { id }: StoredIdentity, { flow, caller }: Proving): boolean {
  if (flow.type !== 'api' || caller.origin !== undefined || caller.cookie_names.length > 0) return false
  if (stepNamed(ctx, flow, flow.active)?.byLink) return false
  if (flow.kind === 'verification') return flow.identity_id === id
  const { account_enumeration, unproven_accounts } = ctx.config.security
  return !(unproven_accounts.reset_in_apps ?? account_enumeration.mitigate)
}

function markOf(ctx: Context, secret: string): string {
  return ctx.secrets.mac('sign-up', secret)
}

/**
 * In another browser than the registering one, only the user who set the account up can sign in, so the
 * proof waits for that (SEC-24). Consumes nothing. Undefined if there is nothing to sign in with.
 */
export async function askToSignIn(
  ctx: Context,
  identity: StoredIdentity,
  { flow, completion, caller }: CompletedStep<'verification'>,
): Promise<OpenFlow<'login'> | undefined> {
  if (!(await removesSetUp(ctx, identity, { flow, caller }))) return undefined
  const address = identity.addresses.find(({ id }) => id === completion.address_id)
  const credentials = (await listCredentials(ctx.db, identity.id)).filter((one) => !isDerived(one))
  const methods = firstFactors(ctx, credentials)
  if (!address || methods.length === 0) return undefined
  const proof = {
    identity_id: identity.id,
    identifier: address.value,
    methods,
    providers: linkedProviders(credentials),
    flow_id: flow.id,
    completion,
  }
  const { return_to } = flow
  return {
    kind: 'open',
    into: 'login',
    request: { type: 'browser', request_url: publicUrl(ctx, '/self-service/login/browser') },
    start: {
      fields: { memo: awaitedProof.entry(proof), ...(return_to && { return_to }) },
      messages: [ownMessages.provedElsewhere],
    },
    outcomeOf: ({ id }) => ({
      kind: 'elsewhere',
      url: screenUrl(ctx, 'login', id),
      status: 303,
      cookies: caller.csrf.sent ? {} : csrfCookieForVisitor(caller),
    }),
  }
}
