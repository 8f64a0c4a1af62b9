import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { withFields } from '@ostiary/identity/serving'
import type { Log } from '@ostiary/identity-server/process'
import type { ProductMetrics } from '../http/metrics.ts'
import type { Job, Jobs, JobTools } from '../product/jobs.ts'
import { describeSchedule, intervalOf, nextTime } from './schedule.ts'
import type { JobRow } from './table.ts'
import { claimJob, endJob, listJobs, releaseJob, renewLease, scheduleJob, skipJob } from './table.ts'

export interface JobParts {
  readonly jobs: Jobs
  readonly tools: Omit<JobTools, 'log' | 'signal'>
  readonly log: Log
  readonly metrics: ProductMetrics
  /** Shorter in tests. */
  readonly lease_ms?: number
  readonly poll_ms?: number
}

export interface JobRunner {
  start(): void
  /** Outside of its schedule. Throws what it throws. */
  run(name: string): Promise<void>
  /** Aborts the running jobs and waits a few seconds for them. */
  stop(): Promise<void>
}

const LEASE_MS = 60_000
/** Sees a clock that was moved, and runs whose process was killed. */
const POLL_MS = 10_000
const STOP_PATIENCE_MS = 5000
/** A run that ends its process would do so again. */
const MAX_ATTEMPTS = 3

/** Runs each job once across all servers with this database (decision 18). */
export function createJobRunner(parts: JobParts): JobRunner {
  const stopping = new AbortController()
  const report = createJobReport(parts)
  const runs = new Map<string, Promise<void>>()
  let loop: Promise<void> | undefined
  return {
    start() {
      if (!stopping.signal.aborted && Object.keys(parts.jobs).length > 0)
        loop ??= keepRunning({ ...parts, report, runs, stopSignal: stopping.signal })
    },
    async run(name) {
      const job = parts.jobs[name]
      if (!job) throw new Error(`There is no job ${name}.`)
      const failure = await attempt(parts, job, name, stopping.signal)
      if (failure) throw failure
    },
    async stop() {
      stopping.abort()
      const all = Promise.all([loop, ...runs.values()])
      await Promise.race([all, sleep(STOP_PATIENCE_MS, undefined, { ref: false })])
    },
  }
}

interface Runner extends JobParts {
  readonly report: ReturnType<typeof createJobReport>
  /** Those of this process. */
  readonly runs: Map<string, Promise<void>>
  readonly stopSignal: AbortSignal
}

async function keepRunning(runner: Runner): Promise<void> {
  const { stopSignal, report, poll_ms = POLL_MS } = runner
  let isPrepared = false
  while (!stopSignal.aborted) {
    try {
      if (!isPrepared) await scheduleJobs(runner)
      isPrepared = true
      await startDueJobs(runner)
    } catch (err) {
      report.databaseFailed(err)
    }
    await pause(Math.min(poll_ms, untilNext(runner)), stopSignal)
  }
}

function untilNext({ jobs, tools: { now } }: Runner): number {
  const time = now()
  return Math.min(...Object.values(jobs).map((job) => nextTime(job, time).getTime() - time.getTime()))
}

async function scheduleJobs({ jobs, tools: { db, now } }: Runner): Promise<void> {
  for (const [name, job] of Object.entries(jobs)) {
    const due_at = nextTime(job, now()).toISOString()
    await scheduleJob(db, { name, schedule: describeSchedule(job), due_at }, now().toISOString())
  }
}

async function startDueJobs(runner: Runner): Promise<void> {
  const { jobs, tools, report, runs } = runner
  const rows = await listJobs(tools.db)
  report.updateRows(rows)
  const now = tools.now()
  for (const [name, job] of Object.entries(jobs)) {
    const row = rows.get(name)
    // Another server has scheduled it otherwise, or runs it.
    if (!row || row.schedule !== describeSchedule(job) || runs.has(name)) continue
    if (isDue(row, now)) await startDueJob(runner, job, row)
    else if (isTooFar(job, row, now)) {
      const due_at = nextTime(job, now).toISOString()
      await skipJob(tools.db, row, { due_at }, now.toISOString())
    }
  }
}

function isDue({ due_at, leased_until }: JobRow, now: Date): boolean {
  return Date.parse(due_at) <= now.getTime() && Date.parse(leased_until ?? due_at) <= now.getTime()
}

/** Set by a clock that was ahead. Not the next time, because clocks of servers may differ a little. */
function isTooFar(job: Job, { due_at }: JobRow, now: Date): boolean {
  return Date.parse(due_at) - now.getTime() > 2 * intervalOf(job)
}

async function startDueJob(runner: Runner, job: Job, row: JobRow): Promise<void> {
  const { tools, report, runs, lease_ms = LEASE_MS } = runner
  const now = tools.now()
  const time = now.toISOString()
  const error = row.attempts < MAX_ATTEMPTS ? undefined : `the process ended during ${MAX_ATTEMPTS} attempts`
  if (error !== undefined) {
    const due_at = nextTime(job, now).toISOString()
    if (await skipJob(tools.db, row, { due_at, ended_at: time, error }, time)) report.gaveUp(row, error)
    return
  }
  const claimed_by = randomUUID()
  const leased_until = new Date(now.getTime() + lease_ms).toISOString()
  if (!(await claimJob(tools.db, row, { claimed_by, leased_until }, time))) return
  const ownClaim = { name: row.name, due_at: row.due_at, claimed_by }
  const run = runClaimed(runner, job, ownClaim).finally(() => runs.delete(row.name))
  runs.set(row.name, run)
}

type OwnClaim = Parameters<typeof releaseJob>[1]

/** Never throws. */
async function runClaimed(runner: Runner, job: Job, ownClaim: OwnClaim): Promise<void> {
  const { tools, report, stopSignal } = runner
  const { db, now } = tools
  const runEnd = new AbortController()
  const leaseLoss = new AbortController()
  const lease = keepLease(runner, ownClaim, leaseLoss, runEnd.signal)
  const run = report.started(ownClaim.name)
  try {
    const failure = await attempt(runner, job, ownClaim.name, AbortSignal.any([stopSignal, leaseLoss.signal]))
    if (failure && stopSignal.aborted) {
      run.interrupted()
      return await releaseJob(db, ownClaim)
    }
    run.ended(failure)
    const late = Math.max(now().getTime(), Date.parse(ownClaim.due_at))
    const next_due_at = nextTime(job, new Date(late)).toISOString()
    const error = failure ? failure.message.slice(0, 500) : null
    await endJob(db, ownClaim, { ended_at: now().toISOString(), error, next_due_at })
  } catch (err) {
    report.databaseFailed(err)
  } finally {
    runEnd.abort()
    await lease
  }
}

async function attempt(
  { tools, log }: JobParts,
  job: Job,
  name: string,
  signal: AbortSignal,
): Promise<Error | undefined> {
  try {
    const stoppableFetch: typeof fetch = (input, init) => tools.fetch(input, { signal, ...init })
    await job.run({ ...tools, log: withFields(log, () => ({ job: name })), signal, fetch: stoppableFetch })
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error), { cause: error })
  }
}

async function keepLease(
  { tools: { db, now }, lease_ms = LEASE_MS }: Runner,
  ownClaim: OwnClaim,
  leaseLoss: AbortController,
  runEnd: AbortSignal,
): Promise<void> {
  while (!runEnd.aborted && !leaseLoss.signal.aborted) {
    await pause(lease_ms / 4, runEnd)
    if (runEnd.aborted) return
    const leased_until = new Date(now().getTime() + lease_ms).toISOString()
    // A database that fails once may answer the next time, within the lease.
    const isOwn = await renewLease(db, ownClaim, leased_until).catch(() => true)
    if (!isOwn) leaseLoss.abort(new Error('another server took over the run'))
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {})
}

/** Log lines and metrics of the jobs. */
function createJobReport({ jobs, log, metrics }: JobParts) {
  let rows: readonly JobRow[] = []
  let isDatabaseDown = false
  metrics.measure('job_last_success_timestamp_seconds', () =>
    rows.map(({ name, succeeded_at, created_at }) => ({
      labels: { name },
      value: Date.parse(succeeded_at ?? created_at) / 1000,
    })),
  )
  metrics.measure('job_interval_seconds', () =>
    rows.map(({ name }) => ({ labels: { name }, value: intervalOf(jobs[name]) / 1000 })),
  )
  const observe = (name: string, result: 'failed' | 'interrupted' | 'succeeded', duration_ms: number) =>
    metrics.observe('job_duration_seconds', { name, result }, duration_ms / 1000)
  return {
    updateRows(all: ReadonlyMap<string, JobRow>) {
      rows = [...all.values()].filter(({ name }) => Object.hasOwn(jobs, name))
      if (isDatabaseDown) log.info({}, 'the database of the jobs answers again')
      isDatabaseDown = false
    },
    databaseFailed(err: unknown) {
      if (!isDatabaseDown) log.error({ err }, 'the database of the jobs fails; retrying')
      isDatabaseDown = true
    },
    gaveUp({ name, due_at }: JobRow, error: string) {
      observe(name, 'failed', 0)
      log.error({ job: name, due_at, err: new Error(error) }, 'job failed')
    },
    started(job: string) {
      const begin = performance.now()
      const duration = () => Math.round(performance.now() - begin)
      return {
        interrupted() {
          observe(job, 'interrupted', duration())
          log.info({ job, duration_ms: duration() }, 'job interrupted; another start repeats it')
        },
        ended(err: Error | undefined) {
          const duration_ms = duration()
          observe(job, err ? 'failed' : 'succeeded', duration_ms)
          if (err) log.error({ job, duration_ms, err }, 'job failed')
          else log.info({ job, duration_ms }, 'job succeeded')
        },
      }
    },
  }
}
