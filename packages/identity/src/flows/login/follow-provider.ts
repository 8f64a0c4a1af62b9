import { isDeepStrictEqual } from 'node:util'
import type { Completion } from '../../contract/completion.ts'
import type { Context } from '../../contract/contract.ts'
import { transact } from '../../contract/transact.ts'
import { FormError } from '../../errors/errors.ts'
import { waitsForProof } from '../../identities/addresses/address-change.ts'
import { hasProof } from '../../identities/addresses/proof.ts'
import { schemaOfIdentity } from '../../identities/schema/schema.ts'
import { deriveFromTraits } from '../../identities/schema/traits.ts'
import { type AccountUpdate, updateLocked } from '../../identities/update.ts'
import { merge } from '../../input/json.ts'
import { isBelowChangesAal } from '../../sessions/aal.ts'
import { isLive } from '../../sessions/find.ts'
import type { IssuedSession } from '../../sessions/issue.ts'
import { findPendingChange, replacePendingChange } from '../../storage/identities/address-changes.ts'
import { lockIdentity, type StoredIdentity } from '../../storage/identities/identities.ts'
import { recordFirstProof } from '../../storage/identities/sign-ups.ts'
import { findSession } from '../../storage/sessions/sessions.ts'
import { messages } from '../../ui/messages.ts'
import type { CompletedStep } from '../form/decision.ts'
import { notifyOfChange } from '../ownership/notify-owner.ts'
import { parkNewAddress, verifyWaiting } from '../ownership/park-address.ts'

/**
 * Updates an account with what its mapper made of a provider's claims, as its user could in settings: after every
 * check of the sign-in, with the level that settings require, and a new address waits for its code (SEC-100). A
 * taken address, or a trait that the schema refuses, changes nothing, because it must not lock the user out. The
 * same holds for a new address that the provider did not verify, because its owner would recover an account that
 * is not theirs (SEC-24).
 */
export async function followProvider(
  ctx: Context,
  issuedSession: IssuedSession,
  step: CompletedStep<'login'>,
): Promise<IssuedSession> {
  const { mapped } = step.completion
  if (!mapped) return issuedSession
  try {
    const identity = await transact(ctx, async (ctx) => {
      await lockIdentity(ctx.db, issuedSession.identity.id)
      const foundSession = await findSession(ctx.db, issuedSession.session.id)
      // It may have ended since (SEC-95).
      if (!foundSession || !isLive(ctx, foundSession) || isBelowChangesAal(ctx, foundSession))
        return issuedSession.identity
      const { identity: before } = foundSession
      const change = changeOf(ctx, before, mapped)
      return change ? await updateAccount(ctx, before, change, step) : before
    })
    return { ...issuedSession, identity }
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    ctx.log.warn(
      { identity_id: issuedSession.identity.id, message_ids: error.message },
      'an account cannot follow its provider: an address is taken or unverified, or the schema refuses a trait',
    )
    return issuedSession
  }
}

async function updateAccount(
  ctx: Context,
  previousIdentity: StoredIdentity,
  requestedChange: AccountUpdate,
  { flow, caller }: CompletedStep<'login'>,
): Promise<StoredIdentity> {
  const { change, waiting } = waitsForProof(ctx)
    ? parkNewAddress(ctx, previousIdentity, requestedChange)
    : { change: requestedChange }
  const now = ctx.now().toISOString()
  const updated = await updateLocked(ctx, previousIdentity, change)
  const { identity } = updated
  if (!hasProof(previousIdentity) && hasProof(identity))
    await recordFirstProof(ctx.db, previousIdentity.id, now)
  await notifyOfChange(ctx, previousIdentity, updated)
  // Every login brings the same address.
  const pending = waiting && (await findPendingChange(ctx.db, previousIdentity.id, now))
  if (waiting && waiting.address !== pending?.address) {
    await replacePendingChange(ctx.db, waiting)
    const cause = { flow, identity, caller, bound: 'consumed code', sender: identity.id } as const
    await verifyWaiting(ctx, cause, waiting)
  }
  return identity
}

/** Throws `FormError` if the schema refuses the traits, or an address is new and unverified. */
function changeOf(
  ctx: Context,
  previousIdentity: StoredIdentity,
  { verified = [], seen, ...mapped }: NonNullable<Completion['login']['mapped']>,
): AccountUpdate | undefined {
  const { schema_id, state, external_id, metadata_public, metadata_admin, addresses } = previousIdentity
  const traits = merge(previousIdentity.traits, mapped.traits)
  const metadata = { metadata_public, metadata_admin }
  // The mapper may repeat what an operator has changed since (SEC-114).
  const input = [seen.traits, seen.metadata_public, seen.metadata_admin]
  if (!isDeepStrictEqual(input, [previousIdentity.traits, metadata_public, metadata_admin])) return undefined
  const { traits: _, ...otherMembers } = mapped
  const account = { schema_id, state, external_id, ...metadata, ...otherMembers }
  const isProven = addresses.some(
    ({ purpose, value, verified_at }) =>
      purpose === 'verification' && verified_at === undefined && verified.includes(value),
  )
  const isSame = isDeepStrictEqual(
    [traits, metadata],
    [previousIdentity.traits, { ...metadata, ...otherMembers }],
  )
  if (isSame && !isProven) return undefined
  const schema = schemaOfIdentity(ctx.schemas, previousIdentity)
  const wrong = schema.validate(traits)
  if (wrong.length > 0) throw new FormError(wrong)
  const { verifiable, recovery } = deriveFromTraits(schema, traits)
  const addressValues = [...verified, ...addresses.map(({ value }) => value)]
  if ([...verifiable, ...recovery].some(({ value }) => !addressValues.includes(value)))
    throw new FormError(messages.generic('The provider did not verify this address.'))
  return { traits, account, proofs: verified.map((value) => ({ value, verified: true })) }
}
