import { Cron } from 'croner'
import { type Job, parseInterval } from '../product/jobs.ts'

const DAY_MS = 86_400_000

/**
 * The first time after `after`. A local time that daylight saving time skips is replaced by the next existing one; of a
 * repeated one the first counts.
 */
export function nextTime(job: Job, after: Date): Date {
  if ('every' in job) {
    const interval = intervalOf(job)
    return new Date((Math.floor(after.getTime() / interval) + 1) * interval)
  }
  const [hour, minute] = job.at.split(':').map(Number)
  const next = new Cron(`0 ${minute} ${hour} * * *`, { timezone: job.zone ?? 'UTC', paused: true }).nextRun(
    after,
  )
  if (!next) throw new Error(`${describeSchedule(job)} never comes`)
  return next
}

/** In milliseconds. On days with a change of the clock, the true one differs by an hour. */
export function intervalOf(job: Job | undefined): number {
  return job && 'every' in job ? (parseInterval(job.every) ?? DAY_MS) : DAY_MS
}

/** Such as `at 02:00 Europe/Berlin`. */
export function describeSchedule(job: Job): string {
  return 'every' in job ? `every ${job.every}` : `at ${job.at} ${job.zone ?? 'UTC'}`
}
