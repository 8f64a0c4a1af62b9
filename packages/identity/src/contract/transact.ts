import { withTransaction } from '../storage/db.ts'
import type { Context } from './contract.ts'

/**
 * The inner context shadows the outer one, whose SQLite database waits for the transaction. `work` may run
 * again after a conflict, so it must do only database work.
 */
export async function transact<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return await work(ctx)
  let effects: (() => void)[] = []
  const result = await withTransaction(ctx.db, (db) => {
    effects = []
    return work({ ...ctx, db, afterCommit: (effect) => void effects.push(effect) })
  })
  for (const effect of effects) effect()
  return result
}
