import type { Caller } from '../caller.ts'
import type { Context } from '../contract.ts'
import { hashToken, newId, randomToken } from '../crypto/random.ts'
import { recordEvent } from '../events/record.ts'
import { cancelDeletion } from '../storage/account-deletions.ts'
import type { StoredIdentity } from '../storage/identities.ts'
import type { SessionAndIdentity, StoredSession } from '../storage/sessions.ts'
import { insertSession, renewSession } from '../storage/sessions.ts'
import type { Aal, AuthenticationMethod, ProofMethod } from '../wire/session.ts'
import { endOldestSessions } from './revoke.ts'

/** What somebody just proved. */
export interface Proof {
  readonly method: ProofMethod
  readonly aal: Aal
  readonly provider?: string
}

/** A session with the token that was made for it: shown once, stored hashed. */
export interface IssuedSession extends SessionAndIdentity {
  readonly token: string
}

/** Signs somebody in; to be called inside `transact`. */
export async function issueSession(
  ctx: Context,
  identity: StoredIdentity,
  proof: Proof,
  caller: Caller,
): Promise<IssuedSession> {
  return await storeNew(ctx, newSession(ctx, identity, proof, { caller }))
}

interface Terms {
  readonly caller: Caller
  /** Milliseconds, where it is not the usual time. */
  readonly lifespan?: number
}

/** A session that is not stored yet: nobody is signed in by it. */
export function newSession(
  ctx: Context,
  identity: StoredIdentity,
  proof: Proof,
  { caller, lifespan = ctx.config.session.lifespan }: Terms,
): IssuedSession {
  const now = ctx.now()
  const issued_at = now.toISOString()
  const session: StoredSession = {
    id: newId(),
    identity_id: identity.id,
    aal: proof.aal,
    methods: [methodOf(proof, issued_at)],
    devices: [{ id: newId(), ...caller.device }],
    issued_at,
    authenticated_at: issued_at,
    expires_at: new Date(now.getTime() + lifespan).toISOString(),
  }
  return { session, identity, token: newSessionToken() }
}

/** Stores what `newSession` made; to be called inside `transact`. */
export async function storeNew(ctx: Context, issued: IssuedSession): Promise<IssuedSession> {
  await insertSession(ctx.db, issued.session, hashToken(issued.token))
  await keepAccount(ctx, issued.identity.id)
  await recordSignIn(ctx, issued)
  await endOldestSessions(ctx, issued.identity.id)
  return issued
}

/**
 * Lets a session go on after its owner proved again who they are, or more; to be called inside `transact`.
 * The session keeps its id and gets a new token: a token that somebody planted before is worth nothing (SEC-19).
 * A native app keeps its own, given as `token`: nobody plants one in an app, and apps store it once.
 */
export async function continueSession(
  ctx: Context,
  current: SessionAndIdentity,
  proof: Proof,
  token?: string,
): Promise<IssuedSession> {
  return await storeContinued(ctx, continuedSession(ctx, current, proof, token))
}

/** The session as it goes on, not stored yet. */
export function continuedSession(
  ctx: Context,
  current: SessionAndIdentity,
  proof: Proof,
  token = newSessionToken(),
): IssuedSession {
  const now = ctx.now()
  const authenticated_at = now.toISOString()
  const session: StoredSession = {
    ...current.session,
    aal: proof.aal === 'aal2' ? 'aal2' : current.session.aal,
    methods: [...current.session.methods, methodOf(proof, authenticated_at)],
    authenticated_at,
    expires_at: extendedEnd(ctx, current.session),
  }
  return { session, identity: current.identity, token }
}

/** A whole lifespan from now. A session that lasts longer, because its user chose to stay signed in, keeps its end. */
export function extendedEnd(ctx: Context, { expires_at }: StoredSession): string {
  const end = new Date(ctx.now().getTime() + ctx.config.session.lifespan).toISOString()
  return end > expires_at ? end : expires_at
}

/** Stores what `continuedSession` made; to be called inside `transact`. */
async function storeContinued(ctx: Context, issued: IssuedSession): Promise<IssuedSession> {
  await renewSession(ctx.db, issued.session, hashToken(issued.token))
  return issued
}

/** An owner who signs in again has changed their mind about the deletion of their account. */
async function keepAccount(ctx: Context, identity_id: string): Promise<void> {
  if (!(await cancelDeletion(ctx.db, identity_id))) return
  await recordEvent(ctx, { event: 'deletion_cancelled', outcome: 'ok', identity_id })
}

/** What was proven last has signed its owner in, or in again. */
async function recordSignIn(ctx: Context, { session, identity }: SessionAndIdentity): Promise<void> {
  const { method } = session.methods.at(-1) ?? {}
  const proof = { aal: session.aal, ...(method === undefined ? {} : { method }) }
  await recordEvent(ctx, { event: 'sign_in', outcome: 'ok', identity_id: identity.id, ...proof })
}

/** The same for a sign-in that confirms who its user is. */
export async function storeConfirmed(ctx: Context, issued: IssuedSession): Promise<IssuedSession> {
  await recordSignIn(ctx, issued)
  return await storeContinued(ctx, issued)
}

/** A cookie is set anew with the answer, so its token may change; an app goes on with the token that it has. */
export function tokenToKeep({ credential }: Pick<Caller, 'credential'>): string | undefined {
  return credential?.from === 'cookie' ? undefined : credential?.token
}

function methodOf({ method, aal, provider }: Proof, completed_at: string): AuthenticationMethod {
  return { method, aal, completed_at, ...(provider === undefined ? {} : { provider }) }
}

/** 256 bits behind the prefix by which Ory's tools know a session token. */
function newSessionToken(): string {
  return randomToken('ory_st_')
}
