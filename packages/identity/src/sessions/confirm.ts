import type { Evidence } from '../contract/completion.ts'
import type { Context } from '../contract/contract.ts'
import { FormError, ProtocolError, unreachable } from '../errors/errors.ts'
import { consumeCode } from '../storage/flows/codes.ts'
import { updateCredentialOnce } from '../storage/identities/credentials.ts'
import type { StoredIdentity } from '../storage/identities/identities.ts'
import { findSession, type SessionAndIdentity, type StoredSession } from '../storage/sessions/sessions.ts'
import { lockStanding, type Standing } from '../storage/sessions/standing.ts'
import type { Level } from './aal.ts'
import { isLive } from './find.ts'
import { countedWith } from './revoke.ts'

// A hash, a provider or a web hook takes time, in which the owner may recover the account or an operator may
// remove the credential. Storing a session therefore needs a `Confirmed`, which only this file makes (SEC-94).

declare const CONFIRMED: unique symbol

/** A proof that holds until the transaction ends. */
export interface Confirmed {
  readonly [CONFIRMED]: true
  readonly identity: StoredIdentity
  /** Another session exceeds the maximum. */
  readonly isFull: boolean
}

/** Its session is still active. */
export interface ConfirmedSession extends Confirmed {
  readonly session: StoredSession
}

/** Locks the account, so call it first inside `transact`. Throws `FormError` with `refusal`. */
export async function confirm(ctx: Context, level: Level, evidence: Evidence): Promise<Confirmed> {
  const confirmed = await findConfirmed(ctx, level, evidence)
  if (!confirmed) throw new FormError(evidence.refusal)
  return confirmed
}

/** Also throws `ProtocolError` 401 if the session has ended. */
export async function confirmContinued(
  ctx: Context,
  current: SessionAndIdentity,
  evidence: Evidence,
): Promise<ConfirmedSession> {
  const confirmed = await confirm(ctx, current, evidence)
  // The level may be lower since.
  const storedSession = await findSession(ctx.db, current.session.id)
  if (storedSession && isLive(ctx, storedSession)) return { ...confirmed, session: storedSession.session }
  throw new ProtocolError({ id: 'session_inactive', status: 401, reason: 'Please log in first.' })
}

/** Also uses the evidence up. Call first inside `transact`. Undefined if it no longer holds. */
export async function findConfirmed(
  ctx: Context,
  level: Level,
  evidence: Evidence,
): Promise<Confirmed | undefined> {
  const { identifier = '' } = evidence
  const type = evidence.kind === 'single_use' ? 'code' : evidence.credential.type
  const standing = await lockStanding(ctx.db, { ...countedWith(ctx, level), type, identifier })
  if (standing?.identity.state !== 'active') return undefined
  if (identifier !== '' && !standing.ownsIdentifier) return undefined
  if (!(await stillHolds(ctx, evidence, standing))) return undefined
  const { identity, isFull } = standing
  return { identity, isFull } as Confirmed
}

async function stillHolds(ctx: Context, evidence: Evidence, { credential: stored, sign_in_epoch }: Standing) {
  const now = ctx.now().toISOString()
  if (evidence.kind === 'single_use') return await consumeCode(ctx.db, evidence.code_id, now)
  const { credential: read } = evidence
  if (!stored || read.sign_in_epoch !== sign_in_epoch) return false
  switch (evidence.kind) {
    case 'credential': {
      if (read.version !== stored.version || read.created_at !== stored.created_at) return false
      const { config } = evidence
      return config === undefined || (await updateCredentialOnce(ctx.db, stored, config, now))
    }
    case 'entry': {
      const config = evidence.use(stored.config)
      if (config === undefined || config === stored.config) return config !== undefined
      return await updateCredentialOnce(ctx.db, stored, config, now)
    }
    default:
      return unreachable(evidence)
  }
}
