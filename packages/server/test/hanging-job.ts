// Prints a line once its job runs, and never ends.
import { startJobs } from './jobs.ts'

const [dsn = '', at = ''] = process.argv.slice(2)
const run = async () => {
  process.stdout.write('running\n')
  await new Promise(() => setInterval(() => {}, 1000))
}
await startJobs(dsn, { nightly: { at: '02:00', run } }, () => new Date(at))
