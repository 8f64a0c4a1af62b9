import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { isPostgres } from '../db.ts'
import { executeWithoutFsync } from '../durability.ts'

/** Takes 3 ms. */
const PAGES = 50
/** Kept for new rows, whichever is larger. */
const RESERVE = { pages: 256, part: 0.1 }
/** https://sqlite.org/pragma.html#pragma_auto_vacuum */
const INCREMENTAL = 2

interface Use {
  readonly auto_vacuum: number
  readonly pages: number
  readonly free: number
}

/**
 * Moves pages from the end of the file into free ones. The next checkpoint shortens the file.
 * Returns whether more can move. PostgreSQL vacuums automatically.
 */
export async function returnFreePages(db: Db): Promise<boolean> {
  if (isPostgres(db)) return false
  const { rows } = await sql<Use>`
    select auto_vacuum, page_count as pages, freelist_count as free
    from pragma_auto_vacuum, pragma_page_count, pragma_freelist_count`.execute(db)
  const [{ auto_vacuum, pages, free } = { auto_vacuum: 0, pages: 0, free: 0 }] = rows
  const unneeded = free - Math.max(RESERVE.pages, pages * RESERVE.part)
  if (auto_vacuum !== INCREMENTAL || unneeded <= 0) return false
  await movePages(db, PAGES)
  return unneeded > PAGES
}

export async function movePages(db: Db, count: number): Promise<void> {
  const pragma = sql`pragma incremental_vacuum(${sql.lit(count)})`
  await executeWithoutFsync(db, { compile: () => pragma.compile(db) })
}
