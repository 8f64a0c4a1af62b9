import { openProductDatabase } from '@ostiary/identity/operating'
import { createProductMetrics } from '../src/http/metrics.ts'
import { createJobRunner } from '../src/jobs/runner.ts'
import { listJobs, migrationsOf } from '../src/jobs/table.ts'
import type { Jobs } from '../src/product/jobs.ts'
import type { OwnMetrics, OwnSettings } from '../src/product/register.ts'
import { productTools } from '../src/start/open-identity.ts'
import { keepLog } from './quiet-log.ts'

interface Pace {
  readonly lease_ms?: number
  readonly poll_ms?: number
}

/** Runs jobs as a server does, with its own connection to the database. */
export async function startJobs(dsn: string, jobs: Jobs, now: () => Date, pace: Pace = {}) {
  const ownDatabase = await openProductDatabase(dsn, { migrations: migrationsOf({ jobs }) ?? {} })
  const log = keepLog()
  const metrics = createProductMetrics()
  const tools = {
    ...productTools({ identity: undefined, ownDatabase }, now),
    settings: {} as OwnSettings,
    metrics: metrics as object as OwnMetrics,
    fetch,
  }
  const runner = createJobRunner({ jobs, tools, log, metrics, poll_ms: 10, ...pace })
  runner.start()
  let stopped: Promise<void> | undefined
  return {
    log,
    rowOf: async (name: string) => (await listJobs(ownDatabase.db)).get(name),
    expose: async () => (await metrics.expose()).text,
    stop: () => {
      stopped ??= runner.stop().then(() => ownDatabase.stop())
      return stopped
    },
  }
}
