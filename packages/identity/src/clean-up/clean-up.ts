import { setTimeout as sleep } from 'node:timers/promises'
import { dueDeletions, unverifiedAccounts } from '../account/deletion.ts'
import type { Config } from '../config/config.ts'
import type { Context } from '../contract/contract.ts'
import { runInOrder } from '../service/jobs.ts'
import { createSweep, type Round, type Sweep } from '../service/sweep.ts'
import { deleteRefilledLimits, findLimitsWindow } from '../storage/limits.ts'
import { type AgingTable, deleteOldRows } from '../storage/old-rows.ts'
import { beginCheckpoints, type Checkpoints, returnFreePages } from '../storage/sqlite/maintenance.ts'

/** Deleting fifty of a million sessions blocks the event loop for 4 ms on SQLite. */
const BATCH = 50
const EVERY_MS = 60_000
const DAY_MS = 86_400_000
/** Clients open flows for free, so flows must not accumulate. */
const FLOW_GRACE_MS = 5 * 60_000

type Task = readonly [table: AgingTable, after_ms: number]

/** Rows outlive their expiry, so that a response can report an expired form. */
const tasks = ({ retention }: Config): readonly Task[] => [
  ['flows', FLOW_GRACE_MS],
  ['address_changes', 0],
  ['session_exchanges', DAY_MS],
  ['sessions', retention.ended_sessions],
  ['messages', 7 * DAY_MS],
  ['errors', DAY_MS],
  ['signing_keys', 0],
  ['replicas', DAY_MS],
  ['events', retention.events],
  ['identity_admin_calls', retention.events],
]

/** Works in small batches with pauses (FLT-22). Only affects the size of the database. */
export function startCleanUp(ctx: Context): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const running = keepClean(ctx, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function keepClean(ctx: Context, signal: AbortSignal): Promise<void> {
  const cleanUp = createCleanUp(ctx)
  while (!signal.aborted) {
    await cleanUp(signal).catch((error: unknown) => ctx.log.error({ err: error }, 'the clean-up failed'))
    await pause(EVERY_MS, signal)
  }
}

/** Returns a function that runs one round and returns the number of deleted rows. */
export function createCleanUp(ctx: Context): (signal?: AbortSignal) => Promise<number> {
  const sweeps = createSweeps(ctx)
  return async (signal) => {
    const checkpoints = await beginCheckpoints(ctx.db)
    try {
      return await oneRound(ctx, { sweeps, checkpoints, signal })
    } finally {
      await checkpoints.end()
    }
  }
}

/** Rows without an index on their end, or that may stay after it. */
const createSweeps = (ctx: Context) => [
  { table: 'identities', sweep: createSweep(dueDeletions(ctx)) },
  { table: 'identities', sweep: createSweep(unverifiedAccounts(ctx)) },
  { table: 'limits', sweep: createSweep(refilledLimits(ctx)) },
]

type LimitsRange = Omit<Parameters<typeof deleteRefilledLimits>[1], 'before'>

function refilledLimits({ db, now }: Context): Sweep<LimitsRange, string> {
  return {
    async list(after, size) {
      const last = await findLimitsWindow(db, after, size)
      return { found: [{ after, last }], last }
    },
    remove: (range) => deleteRefilledLimits(db, { ...range, before: now().getTime() }),
  }
}

interface Parts extends Pick<Round, 'signal'> {
  readonly sweeps: ReturnType<typeof createSweeps>
  readonly checkpoints: Checkpoints
}

async function oneRound(ctx: Context, { sweeps, checkpoints, signal }: Parts): Promise<number> {
  const startedAt = performance.now()
  // Leaves half of the time to requests.
  const rest = async (since: number, hasWritten: boolean) => {
    // The first checkpoint starts a thread, for 50 ms of processor time and 8 MB.
    const checkpoint = hasWritten ? checkpoints.next() : undefined
    await Promise.all([checkpoint, pause(performance.now() - since, signal)])
  }
  let removed = 0
  const count = (table: string) => (rows: number) => {
    removed += rows
    ctx.metrics.add('identity_clean_up_rows_total', { table }, rows)
  }
  // A failing task must not stop the others, whose tables clients could fill (FLT-31).
  await runInOrder([
    ...sweeps.map(
      ({ table, sweep }) =>
        () =>
          sweep({ rest, signal, count: count(table) }),
    ),
    ...tasks(ctx.config).map((task) => () => removeOld(ctx, task, { rest, signal, count: count(task[0]) })),
    () => shrink(ctx, { rest, signal }),
  ])
  ctx.metrics.observe('identity_clean_up_duration_seconds', {}, (performance.now() - startedAt) / 1000)
  return removed
}

async function removeOld(ctx: Context, [table, after_ms]: Task, { rest, signal, count }: Round) {
  const cutoff = new Date(ctx.now().getTime() - after_ms).toISOString()
  for (let batch = BATCH; batch === BATCH && !signal?.aborted; ) {
    const began = performance.now()
    batch = await deleteOldRows(ctx.db, table, cutoff, BATCH)
    count(batch)
    if (batch === BATCH) await rest(began, true)
  }
}

async function shrink(ctx: Context, { rest, signal }: Omit<Round, 'count'>): Promise<void> {
  for (let isLonger = true; isLonger && !signal?.aborted; ) {
    const began = performance.now()
    isLonger = await returnFreePages(ctx.db)
    if (isLonger) await rest(began, true)
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, { ref: false, ...(signal ? { signal } : {}) }).catch(() => undefined)
}
