import type { Log } from '@ostiary/identity-server/process'
import type { ProductMetrics } from '../http/metrics.ts'
import type { Jobs } from '../product/jobs.ts'
import { intervalOf } from './schedule.ts'
import type { JobRow } from './table.ts'

/** Log lines and metrics of the jobs. */
export function createJobReport(jobs: Jobs, log: Log, metrics: ProductMetrics) {
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
