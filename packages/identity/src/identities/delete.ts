import type { Context } from '../contract/contract.ts'
import { deleteIdentity, type StoredIdentity } from '../storage/identities/identities.ts'

/** Also deletes the product's rows. Call inside `transact`, with the identity read after `lockIdentity`. */
export async function deleteAccount(ctx: Context, identity: StoredIdentity): Promise<void> {
  await ctx.product.deleteData(ctx, identity.id)
  await deleteIdentity(ctx.db, identity.id)
  await ctx.product.deleted(ctx, identity)
}
