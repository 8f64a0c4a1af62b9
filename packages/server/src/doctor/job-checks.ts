import { existsSync } from 'node:fs'
import { openProductDatabase, PendingMigrations } from '@ostiary/identity/operating'
import { describeSchedule, intervalOf, nextTime } from '../jobs/schedule.ts'
import { type JobRow, listJobs, migrationsOf } from '../jobs/table.ts'
import type { Job } from '../product/jobs.ts'
import type { Product } from '../product/product.ts'
import type { Settings } from '../settings/env.ts'
import { databaseDsn } from '../settings/identity.config.ts'
import { type Check, type Finding, ok, warning } from './finding.ts'

/** A start may take this long. */
const GRACE_MS = 10 * 60_000

export const checkJobs: Check = async ({ product, settings, now }) => {
  const jobs = Object.entries(product.jobs ?? {})
  if (jobs.length === 0) return []
  const rows = await readJobs(product, settings)
  return rows ? jobs.map(([name, job]) => describeJob(name, job, rows.get(name), now())) : []
}

/** Undefined without a database, or if it fails, which is another finding. */
async function readJobs(product: Product, settings: Settings) {
  const { in_memory, database_file } = settings
  const isNew = database_file !== undefined && !existsSync(database_file)
  if (in_memory || isNew) return new Map<string, JobRow>()
  try {
    const migrations = migrationsOf(product) ?? {}
    const database = await openProductDatabase(databaseDsn(settings), { migrations, migrates: false })
    try {
      return await listJobs(database.db)
    } finally {
      await database.stop()
    }
  } catch (error) {
    return error instanceof PendingMigrations ? new Map<string, JobRow>() : undefined
  }
}

function describeJob(name: string, job: Job, row: JobRow | undefined, now: Date): Finding {
  const schedule = describeSchedule(job)
  if (row?.schedule !== schedule)
    return ok(`${name} (${schedule}) starts with the server; next run ${nextTime(job, now).toISOString()}`)
  const { due_at, leased_until, started_at, ended_at, succeeded_at, error } = row
  const success = `last success ${succeeded_at ?? 'never'}`
  const delay = now.getTime() - Date.parse(due_at)
  if (leased_until !== null && Date.parse(leased_until) > now.getTime()) {
    const text = `${name} (${schedule}) runs since ${started_at}, ${success}`
    return delay > intervalOf(job) + GRACE_MS
      ? warning(
          `${text}, which is longer than usual.`,
          'Look for its lines in the log, or restart the server.',
        )
      : ok(text)
  }
  if (delay > GRACE_MS)
    return warning(
      `${name} (${schedule}) is overdue since ${due_at}, ${success}.`,
      'Start the server, which makes up a run. If it runs, look for "the database of the jobs fails" in the log.',
    )
  if (error !== null)
    return warning(
      `${name} (${schedule}) failed at ${ended_at}: ${firstLine(error)}. The last success was at ${succeeded_at ?? 'no time'}, the next run is at ${due_at}.`,
      'Look for "job failed" in the log.',
    )
  return ok(`${name} (${schedule}): ${success}, next run ${due_at}`)
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 200).replace(/\.$/, '')
}
