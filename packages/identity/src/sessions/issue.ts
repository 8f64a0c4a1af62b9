import type { Caller } from '../contract/caller.ts'
import type { Context } from '../contract/contract.ts'
import { hashToken, newId, randomToken } from '../crypto/random.ts'
import { FormError } from '../errors/errors.ts'
import { recordEvent } from '../events/record.ts'
import type { Credential } from '../storage/identities/credentials.ts'
import type { StoredIdentity } from '../storage/identities/identities.ts'
import { findEnds } from '../storage/sessions/ended-sessions.ts'
import type { SessionAndIdentity, StoredSession } from '../storage/sessions/sessions.ts'
import { insertSession, renewSession } from '../storage/sessions/sessions.ts'
import { messages } from '../ui/messages.ts'
import type { Aal, AuthenticationMethod, ProofMethod } from '../wire/session.ts'
import { countedWith, endOldestSessions } from './revoke.ts'

/** A completed authentication. */
export interface Proof {
  readonly method: ProofMethod
  readonly aal: Aal
  readonly provider?: string
  /** The credential, as it was then. */
  readonly proven?: Pick<Credential, 'id' | 'version'>
}

/** A session with its token, which is returned once and stored hashed. */
export interface IssuedSession extends SessionAndIdentity, Pick<Proof, 'proven'> {
  readonly token: string
}

/** Signs a user in. Call inside `transact`. */
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
  /** In milliseconds; defaults to the configured lifespan. */
  readonly lifespan?: number
}

/** A new session, not yet stored. */
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
  const { proven } = proof
  return { session, identity, token: newSessionToken(), ...(proven ? { proven } : {}) }
}

/** Stores the result of `newSession`. Call inside `transact`. Throws `FormError` if its credential has changed since. */
export async function storeNew(ctx: Context, issued: IssuedSession): Promise<IssuedSession> {
  await insertSession(ctx.db, issued.session, hashToken(issued.token))
  const ends = await findEnds(ctx.db, countedWith(ctx, issued), issued.proven)
  // The new password has ended all other sessions: one by the old password must not begin after that (SEC-16).
  if (!ends.holds) throw new FormError(messages.invalidCredentials)
  await recordSignIn(ctx, issued)
  if (ends.sessions) await endOldestSessions(ctx, issued)
  return issued
}

/**
 * Continues a session after re-authentication or a second factor. Call inside `transact`. The session keeps its id and
 * gets a new token, so that a token planted by an attacker becomes worthless (SEC-19). A native app keeps its own,
 * given as `token`: nothing can plant a token in an app, and apps store it once.
 */
export async function continueSession(
  ctx: Context,
  current: SessionAndIdentity,
  proof: Proof,
  token?: string,
): Promise<IssuedSession> {
  return await storeContinued(ctx, continuedSession(ctx, current, proof, token))
}

/** The continued session, not yet stored. */
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
    methods: withMethod(current.session.methods, methodOf(proof, authenticated_at)),
    authenticated_at,
    expires_at: extendedEnd(ctx, current.session),
  }
  return { session, identity: current.identity, token }
}

/** Each look-up reads all of them, and a session may be confirmed thousands of times. */
const MOST_METHODS = 20

/** Beyond the maximum, drops the oldest entry that a later one repeats: every kind of proof remains. */
function withMethod(
  before: readonly AuthenticationMethod[],
  added: AuthenticationMethod,
): readonly AuthenticationMethod[] {
  const all = [...before, added]
  const isRepeated = (one: AuthenticationMethod, index: number) =>
    all.slice(index + 1).some((later) => nameOf(later) === nameOf(one))
  const oldest = all.length > MOST_METHODS ? all.findIndex(isRepeated) : -1
  return oldest < 0 ? all : all.toSpliced(oldest, 1)
}

function nameOf({ method, aal, provider }: AuthenticationMethod): string {
  return `${method} ${aal} ${provider}`
}

/** The lifespan from now, or the session's present expiry if that is later: its user chose to stay signed in. */
export function extendedEnd(ctx: Context, { expires_at }: StoredSession): string {
  const end = new Date(ctx.now().getTime() + ctx.config.session.lifespan).toISOString()
  return end > expires_at ? end : expires_at
}

/** Stores the result of `continuedSession`. Call inside `transact`. */
async function storeContinued(ctx: Context, issued: IssuedSession): Promise<IssuedSession> {
  await renewSession(ctx.db, issued.session, hashToken(issued.token))
  if (issued.session.aal === 'aal2') await endOldestSessions(ctx, issued)
  return issued
}

/** Records the last authentication method as a sign-in event. */
async function recordSignIn(ctx: Context, { session, identity }: SessionAndIdentity): Promise<void> {
  const { method } = session.methods.at(-1) ?? {}
  const proof = { aal: session.aal, ...(method === undefined ? {} : { method }) }
  await recordEvent(ctx, { event: 'sign_in', outcome: 'ok', identity_id: identity.id, ...proof })
}

/** Stores a session continued by re-authentication and records the sign-in. */
export async function storeConfirmed(ctx: Context, issued: IssuedSession): Promise<IssuedSession> {
  await recordSignIn(ctx, issued)
  return await storeContinued(ctx, issued)
}

/** The token that an app keeps. A browser gets a new one, because the response sets its cookie. */
export function tokenToKeep({ credential }: Pick<Caller, 'credential'>): string | undefined {
  return credential?.from === 'cookie' ? undefined : credential?.token
}

function methodOf({ method, aal, provider }: Proof, completed_at: string): AuthenticationMethod {
  return { method, aal, completed_at, ...(provider === undefined ? {} : { provider }) }
}

/** 256 bits, with the prefix by which Ory's tools recognise session tokens. */
function newSessionToken(): string {
  return `ory_st_${randomToken()}`
}
