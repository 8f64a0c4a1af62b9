import type { Migration, ProductDb } from '@ostiary/identity'
import type { Product } from '../product/product.ts'

/** Times are ISO 8601 text. */
export interface JobRow {
  readonly name: string
  /** As described. A new one replaces `due_at`, and servers with the old one no longer claim the job. */
  readonly schedule: string
  readonly created_at: string
  readonly due_at: string
  /** The running process. Null between runs. */
  readonly claimed_by: string | null
  /** Another process may take over then. */
  readonly leased_until: string | null
  /** Attempts of the run that is due. Above 1 if processes ended during it. */
  readonly attempts: number
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly succeeded_at: string | null
  /** The error of the last run that ended. */
  readonly error: string | null
}

const createJobs: Migration = {
  async up(db) {
    await db.schema
      .createTable('product_jobs')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('schedule', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('due_at', 'text', (c) => c.notNull())
      .addColumn('claimed_by', 'text')
      .addColumn('leased_until', 'text')
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('started_at', 'text')
      .addColumn('ended_at', 'text')
      .addColumn('succeeded_at', 'text')
      .addColumn('error', 'text')
      .execute()
  },
}

/** Those of the product, and the server's for the product. Released ones must not change. */
/** A product without jobs had some earlier. */
export const JOBS_MIGRATION = '0000-jobs'

export function migrationsOf({ jobs, migrations }: Pick<Product, 'jobs' | 'migrations'>) {
  return jobs ? { [JOBS_MIGRATION]: createJobs, ...migrations } : migrations
}

function jobsIn(db: ProductDb) {
  return db.$extendTables<{ product_jobs: JobRow }>()
}

export async function listJobs(db: ProductDb): Promise<ReadonlyMap<string, JobRow>> {
  const rows = await jobsIn(db).selectFrom('product_jobs').selectAll().execute()
  return new Map(rows.map((row) => [row.name, row]))
}

type Schedule = Pick<JobRow, 'name' | 'schedule' | 'due_at'>

/** Keeps the time of a known job, unless its schedule changed. */
export async function scheduleJob(db: ProductDb, { name, schedule, due_at }: Schedule, now: string) {
  await jobsIn(db)
    .insertInto('product_jobs')
    .values({ name, schedule, created_at: now, due_at, attempts: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  await jobsIn(db)
    .updateTable('product_jobs')
    .set({ schedule, due_at, attempts: 0 })
    .where('name', '=', name)
    .where('schedule', '!=', schedule)
    .execute()
}

/** Returns whether this process runs the job now. Only one of all processes does. */
export async function claimJob(
  db: ProductDb,
  job: Schedule,
  claim: { readonly claimed_by: string; readonly leased_until: string },
  now: string,
): Promise<boolean> {
  const { numUpdatedRows } = await freeJob(db, job, now)
    .set((eb) => ({ ...claim, started_at: now, attempts: eb('attempts', '+', 1) }))
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** Returns false if another process was faster. */
export async function skipJob(
  db: ProductDb,
  job: Schedule,
  change: Pick<JobRow, 'due_at'> & Partial<Pick<JobRow, 'ended_at' | 'error'>>,
  now: string,
): Promise<boolean> {
  const { numUpdatedRows } = await freeJob(db, job, now)
    .set({ ...change, claimed_by: null, leased_until: null, attempts: 0 })
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** Unless another process has moved or claimed it since. */
function freeJob(db: ProductDb, { name, schedule, due_at }: Schedule, now: string) {
  return jobsIn(db)
    .updateTable('product_jobs')
    .where('name', '=', name)
    .where('schedule', '=', schedule)
    .where('due_at', '=', due_at)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
}

/** Returns false if another process has taken over. */
export async function renewLease(db: ProductDb, ownClaim: OwnClaim, leased_until: string): Promise<boolean> {
  const { numUpdatedRows } = await ownJob(db, ownClaim).set({ leased_until }).executeTakeFirst()
  return numUpdatedRows > 0
}

/** Before its end, so that another process repeats the run. */
export async function releaseJob(db: ProductDb, ownClaim: OwnClaim): Promise<void> {
  await ownJob(db, ownClaim).set({ claimed_by: null, leased_until: null, attempts: 0 }).execute()
}

export async function endJob(
  db: ProductDb,
  ownClaim: OwnClaim,
  { ended_at, error, next_due_at }: { ended_at: string; error: string | null; next_due_at: string },
): Promise<void> {
  await ownJob(db, ownClaim)
    .set((eb) => ({
      ended_at,
      error,
      ...(error === null ? { succeeded_at: ended_at } : {}),
      ...{ claimed_by: null, leased_until: null, attempts: 0 },
      // A new schedule may have moved it meanwhile.
      due_at: eb.case().when('due_at', '=', ownClaim.due_at).then(next_due_at).else(eb.ref('due_at')).end(),
    }))
    .execute()
}

interface OwnClaim extends Pick<JobRow, 'name' | 'due_at'> {
  readonly claimed_by: string
}

function ownJob(db: ProductDb, { name, claimed_by }: OwnClaim) {
  return jobsIn(db).updateTable('product_jobs').where('name', '=', name).where('claimed_by', '=', claimed_by)
}
