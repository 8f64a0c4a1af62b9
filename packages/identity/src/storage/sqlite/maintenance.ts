import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { isPostgres } from '../database.ts'
import type { Db } from '../db.ts'
import { executeWithoutFsync } from '../durability.ts'
import { CHECKPOINT_PAGES } from './file.ts'

/** If the thread fails, SQLite makes its own checkpoint. */
const PAGES_BESIDE_THREAD = 10_000

/** Runs in a thread, because scattered writes would block the event loop. */
export interface Checkpoints {
  next(): Promise<void>
  end(): Promise<void>
}

const NONE: Checkpoints = { next: async () => {}, end: async () => {} }

/** Disables SQLite's own checkpoints. */
export async function beginCheckpoints(db: Db): Promise<Checkpoints> {
  const file = isPostgres(db) ? '' : await fileOf(db)
  if (file === '') return NONE
  let thread: Worker | undefined
  await setPages(db, PAGES_BESIDE_THREAD)
  return {
    async next() {
      thread ??= new Worker(THREAD, { eval: true, workerData: file, resourceLimits: LIMITS }).once(
        'error',
        () => {
          thread = undefined
        },
      )
      const done = once(thread, 'message')
      thread.postMessage('checkpoint')
      await done
    },
    async end() {
      await thread?.terminate()
      await setPages(db, CHECKPOINT_PAGES)
    },
  }
}

/** Inline, so that the bundle needs no extra file. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads')
const { DatabaseSync } = require('node:sqlite')
const database = new DatabaseSync(workerData)
parentPort.on('message', () => {
  database.exec('pragma wal_checkpoint(passive)')
  parentPort.postMessage('done')
})`
const LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 }

async function fileOf(db: Db): Promise<string> {
  const { rows } = await sql<{
    file: string
  }>`select file from pragma_database_list where name = 'main'`.execute(db)
  return rows[0]?.file ?? ''
}

async function setPages(db: Db, pages: number): Promise<void> {
  await sql`pragma wal_autocheckpoint = ${sql.lit(pages)}`.execute(db)
}

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
