import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../contract/contract.ts'
import type { MappedClaims } from '../../contract/done.ts'
import { transact } from '../../contract/transact.ts'
import { FormError } from '../../errors/errors.ts'
import { schemaOfIdentity } from '../../identities/schema/schema.ts'
import { deriveFromTraits } from '../../identities/schema/traits.ts'
import type { AccountUpdate } from '../../identities/update.ts'
import { updateLocked } from '../../identities/update.ts'
import { merge } from '../../input/json.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import { findIdentity, lockIdentity } from '../../storage/identities/identities.ts'
import { messages } from '../../ui/messages.ts'
import { notifyOfChange } from '../ownership/notify-owner.ts'

/**
 * Updates an account with what its mapper made of a provider's claims. A taken address, or a trait that the
 * schema refuses, changes nothing, because it must not lock the user out. The same holds for a new address that
 * the provider did not verify, because its owner would recover an account that is not theirs (SEC-24).
 */
export async function followProvider(
  ctx: Context,
  identity: StoredIdentity,
  mapped: MappedClaims,
): Promise<StoredIdentity> {
  try {
    return await transact(ctx, async (ctx) => {
      await lockIdentity(ctx.db, identity.id)
      const before = (await findIdentity(ctx.db, identity.id)) ?? identity
      const change = changeOf(ctx, before, mapped)
      if (!change) return before
      const updated = await updateLocked(ctx, before, change)
      await notifyOfChange(ctx, before, updated)
      return updated.identity
    })
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    ctx.log.warn(
      { identity_id: identity.id, message_ids: error.message },
      'an account cannot follow its provider: an address is taken or unverified, or the schema refuses a trait',
    )
    return identity
  }
}

/** Throws `FormError` if the schema refuses the traits, or an address is new and unverified. */
function changeOf(
  ctx: Context,
  before: StoredIdentity,
  { verified = [], ...mapped }: MappedClaims,
): AccountUpdate | undefined {
  const { schema_id, state, external_id, metadata_public, metadata_admin, addresses } = before
  const traits = merge(before.traits, mapped.traits)
  const metadata = { metadata_public, metadata_admin }
  const { traits: _, ...given } = mapped
  const account = { schema_id, state, external_id, ...metadata, ...given }
  const isProven = addresses.some(
    ({ purpose, value, verified_at }) =>
      purpose === 'verification' && verified_at === undefined && verified.includes(value),
  )
  const isSame = isDeepStrictEqual([traits, metadata], [before.traits, { ...metadata, ...given }])
  if (isSame && !isProven) return undefined
  const schema = schemaOfIdentity(ctx.schemas, before)
  const wrong = schema.validate(traits)
  if (wrong.length > 0) throw new FormError(wrong)
  const { verifiable, recovery } = deriveFromTraits(schema, traits)
  const known = [...verified, ...addresses.map(({ value }) => value)]
  if ([...verifiable, ...recovery].some(({ value }) => !known.includes(value)))
    throw new FormError(messages.generic('The provider did not verify this address.'))
  return { traits, account, proofs: verified.map((value) => ({ value, verified: true })) }
}
