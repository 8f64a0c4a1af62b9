import type { Context } from '../contract/contract.ts'
import { deleteIdentity, findIdentity, lockIdentity } from '../storage/identities/identities.ts'

/** Also deletes the product's rows. Call inside `transact`. Returns false if the account does not exist. */
export async function deleteAccount(ctx: Context, id: string): Promise<boolean> {
  await lockIdentity(ctx.db, id)
  const identity = await findIdentity(ctx.db, id)
  if (!identity) return false
  await ctx.product.deleteData(ctx, id)
  await deleteIdentity(ctx.db, id)
  await ctx.product.deleted(ctx, identity)
  return true
}
