import type { Context } from '../../contract/contract.ts'
import type { KnownSubject, Subject } from '../../identities/subject.ts'
import { findSubject } from '../../identities/subject.ts'
import type { Flow } from '../../storage/flows/flows.ts'

/**
 * The identity of a login or settings flow. Undefined if the user is not known yet, and in registration, recovery and
 * verification, which need at most one address of an identity.
 */
export async function subjectOf(
  ctx: Context,
  { kind, identity_id }: Flow,
  known?: KnownSubject,
): Promise<Subject | undefined> {
  if (identity_id === undefined || (kind !== 'login' && kind !== 'settings')) return undefined
  return await findSubject(ctx, identity_id, known)
}
