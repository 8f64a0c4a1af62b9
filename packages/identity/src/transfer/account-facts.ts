import { z } from 'zod'
import type { Context } from '../contract/contract.ts'
import { findScheduledDeletion, insertScheduledDeletion } from '../storage/identities/account-deletions.ts'
import { findUndoEnd } from '../storage/identities/address-changes.ts'
import { findSignUp, insertSignUp } from '../storage/identities/sign-ups.ts'
import { time } from './second-factors.ts'

/**
 * Facts beyond Kratos' members that security decisions read. A file of accounts carries it, so that moving
 * an account changes no decision (SEC-104).
 */
export const accountFacts = z.strictObject({
  /** Null for an account that an operator made. */
  sign_up: z
    .strictObject({
      /** Whether its user ever proved an address. */
      proven: z.boolean(),
      /** From another service: not deleted for being unproven. */
      imported: z.boolean(),
    })
    .nullable(),
  deletion: z.strictObject({ requested_at: time, due_at: time }).nullish(),
  /** Until then, the owner of a replaced address can restore it, by a link that only works here. Not imported. */
  undo_until: time.nullish(),
})

export type AccountFacts = z.output<typeof accountFacts>

export async function readFacts({ db, now }: Context, identityId: string): Promise<AccountFacts> {
  const signUp = await findSignUp(db, identityId)
  const deletion = await findScheduledDeletion(db, identityId)
  return {
    sign_up: signUp ? { proven: signUp.proven, imported: signUp.imported } : null,
    deletion: deletion ? { requested_at: deletion.requested_at, due_at: deletion.due_at } : null,
    undo_until: (await findUndoEnd(db, identityId, now().toISOString())) ?? null,
  }
}

/** No browser counts as the registering one: its cookie is for the other service. Call inside `transact`. */
export async function storeFacts(
  { db, now }: Context,
  identity_id: string,
  { sign_up, deletion }: AccountFacts,
): Promise<void> {
  const time = now().toISOString()
  if (sign_up)
    await insertSignUp(db, identity_id, {
      browsers: [],
      proven_at: sign_up.proven ? time : null,
      imported_at: sign_up.imported ? time : null,
    })
  if (deletion) await insertScheduledDeletion(db, { identity_id, ...deletion })
}
