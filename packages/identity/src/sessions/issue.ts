import type { Caller } from '../contract/caller.ts'
import type { Context } from '../contract/contract.ts'
import { hashToken, newId, randomToken } from '../crypto/random.ts'
import { recordEvent } from '../events/record.ts'
import type { StoredIdentity } from '../storage/identities/identities.ts'
import type { SessionAndIdentity, StoredSession } from '../storage/sessions/sessions.ts'
import { insertSession, renewSession } from '../storage/sessions/sessions.ts'
import type { Aal, AuthenticationMethod, ProofMethod } from '../wire/session.ts'
import type { Confirmed, ConfirmedSession } from './confirm.ts'
import { endOldestSessions } from './revoke.ts'

export interface Proof {
  readonly method: ProofMethod
  readonly aal: Aal
  readonly provider?: string
}

/** The token is returned once. */
export interface IssuedSession extends SessionAndIdentity {
  readonly token: string
}

export function newSession(
  ctx: Context,
  identity: StoredIdentity,
  proof: Proof,
  { caller, lifespan = ctx.config.session.lifespan }: { readonly caller: Caller; readonly lifespan?: number },
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

/** Call inside `transact`. The session is for `confirmed.identity`. */
export async function issueSession(ctx: Context, confirmed: Confirmed, proof: Proof, caller: Caller) {
  return await storeNew(ctx, newSession(ctx, confirmed.identity, proof, { caller }), confirmed)
}

/** Call inside `transact`. */
export async function storeNew(ctx: Context, unstored: IssuedSession, { identity, isFull }: Confirmed) {
  const issued = { ...unstored, identity }
  await insertSession(ctx.db, issued.session, hashToken(issued.token))
  await recordSignIn(ctx, issued)
  if (isFull) await endOldestSessions(ctx, issued)
  return issued
}

/** Call inside `transact`. */
export async function continueSession(
  ctx: Context,
  confirmed: ConfirmedSession,
  proof: Proof,
  token?: string,
): Promise<IssuedSession> {
  const issued = continuedSession(ctx, confirmed, proof, token)
  await renewSession(ctx.db, issued.session, hashToken(issued.token))
  if (issued.session.aal === 'aal2') await endOldestSessions(ctx, issued)
  return issued
}

/**
 * Not stored. A new token makes a planted one worthless (SEC-19). Native apps keep theirs (`token`): nothing can
 * plant a token in an app.
 */
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

/** Each look-up reads all of them. */
const MOST_METHODS = 20

/** Beyond the maximum, drops the oldest entry that a later one repeats, so every kind of proof remains. */
function withMethod(previousMethods: readonly AuthenticationMethod[], added: AuthenticationMethod) {
  const methods = [...previousMethods, added]
  const isRepeated = (one: AuthenticationMethod, index: number) =>
    methods.slice(index + 1).some((later) => nameOf(later) === nameOf(one))
  const oldest = methods.length > MOST_METHODS ? methods.findIndex(isRepeated) : -1
  return oldest < 0 ? methods : methods.toSpliced(oldest, 1)
}

function nameOf({ method, aal, provider }: AuthenticationMethod): string {
  return `${method} ${aal} ${provider}`
}

/** A later expiry was its user's choice. */
export function extendedEnd(ctx: Context, { expires_at }: StoredSession): string {
  const end = new Date(ctx.now().getTime() + ctx.config.session.lifespan).toISOString()
  return end > expires_at ? end : expires_at
}

export async function recordSignIn(ctx: Context, foundSession: SessionAndIdentity): Promise<void> {
  const { session, identity } = foundSession
  const { method } = session.methods.at(-1) ?? {}
  const proof = { aal: session.aal, ...(method === undefined ? {} : { method }) }
  await recordEvent(ctx, { event: 'sign_in', outcome: 'ok', identity_id: identity.id, ...proof })
  await ctx.product.signedIn(ctx, foundSession)
}

/** An app keeps its token. Browsers get a new one, because the response sets their cookie. */
export function tokenToKeep({ credential }: Pick<Caller, 'credential'>): string | undefined {
  return credential?.from === 'cookie' ? undefined : credential?.token
}

function methodOf({ method, aal, provider }: Proof, completed_at: string): AuthenticationMethod {
  return { method, aal, completed_at, ...(provider === undefined ? {} : { provider }) }
}

/** Ory's tools recognize this prefix. */
function newSessionToken(): string {
  return `ory_st_${randomToken()}`
}
