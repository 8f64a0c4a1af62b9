import type { ProductTools } from '@ostiary/identity'
import type { Log } from '@ostiary/identity-server/process'
import type { OwnMetrics, OwnSettings } from './register.ts'

/** Work that runs without a request, at a time of the day or at an interval. */
export type Job = Schedule & {
  /** Runs once across workers and replicas. A throw is logged; the next run is at its usual time. */
  run(tools: JobTools): Promise<void> | void
}

export type Schedule = DailySchedule | IntervalSchedule

interface DailySchedule {
  /** Hours and minutes, such as `02:00`. */
  readonly at: string
  /** Time zone of `at`, such as `Europe/Berlin`. Defaults to UTC. */
  readonly zone?: string
}

interface IntervalSchedule {
  /** From `1s` to `24h`, such as `15m`, counted from midnight UTC of January 1, 1970. */
  readonly every: string
}

export interface JobTools extends ProductTools {
  readonly settings: OwnSettings
  readonly metrics: OwnMetrics
  /** Adds the job's name to each line. */
  readonly log: Log
  /** Traced. Stops with `signal`. */
  readonly fetch: typeof fetch
  /** Aborted when the server stops, or when another server took over the run. */
  readonly signal: AbortSignal
}

/** By name. */
export type Jobs = Readonly<Record<string, Job>>

/** A start does not check the types of `app/server.ts`. */
export function* findJobProblems(jobs: Jobs = {}, hasDatabase: boolean) {
  const entries = Object.entries(jobs)
  if (entries.length > 0 && !hasDatabase)
    yield 'jobs in app/server.ts need a database, and with IDENTITY_URL the product has one only for tables of its own. Add migrations to app/server.ts, or remove jobs or IDENTITY_URL.'
  for (const [name, job] of entries) {
    if (!/^[a-z][\w-]{0,59}$/i.test(name))
      yield `jobs in app/server.ts has the name ${JSON.stringify(name)}. Use letters, digits, - and _, such as nightly.`
    yield* findScheduleProblems(`jobs.${name} in app/server.ts`, job)
  }
}

function* findScheduleProblems(jobPath: string, job: Job | undefined) {
  const { at, every, zone, run }: Partial<DailySchedule & IntervalSchedule & Job> = job ?? {}
  if (typeof run !== 'function')
    yield `${jobPath} has no function run. Add one: run: async ({ db, log }) => {}.`
  if ((at === undefined) === (every === undefined))
    yield `${jobPath} needs either at or every. Add one of them, such as at: '02:00'.`
  if (at !== undefined && !TIME.test(at))
    yield `${jobPath} has at: ${JSON.stringify(at)}. Use a time of the day from 00:00 to 23:59, such as '02:00'.`
  if (every !== undefined && parseInterval(every) === undefined)
    yield `${jobPath} has every: ${JSON.stringify(every)}. Use an interval from 1s to 24h, such as '15m'.`
  if (zone !== undefined && at === undefined) yield `${jobPath} has a zone without at. Remove zone.`
  if (zone !== undefined && !isZone(zone))
    yield `${jobPath} has the unknown zone ${JSON.stringify(zone)}. Use a name such as 'Europe/Berlin', or remove it for UTC.`
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

function isZone(zone: string): boolean {
  try {
    // An offset such as +02:00 has no daylight saving time.
    return /^[a-z]/i.test(new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone)
  } catch {
    return false
  }
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/** In milliseconds. */
export function parseInterval(every: string): number | undefined {
  const [, digits, unit = ''] = /^([1-9]\d{0,4})([smh])$/.exec(every) ?? []
  const interval = Number(digits) * (UNITS_MS[unit] ?? 0)
  return interval > 0 && interval <= 86_400_000 ? interval : undefined
}
