import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '@ostiary/identity/testing/kit/until'
import ownProduct from '../../../../app/server.ts'
import { startJobs } from '../../test/jobs.ts'
import { readSettings } from '../../test/settings.ts'
import { checkJobs } from './job-checks.ts'

test('lists each job, and finds failing and overdue ones', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'my-app-jobs-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const DATABASE_URL = `sqlite:${join(folder, 'jobs.sqlite')}`
  let now = new Date('2027-03-01T22:00:00Z')
  let isBroken = false
  const run = () => {
    if (isBroken) throw new Error('the archive is full\nsecond line')
  }
  const jobs = { nightly: { at: '02:00', run } }
  const product = { ...ownProduct, jobs }
  const settings = readSettings({ DATABASE_URL }, product)
  const linesOf = async () => {
    const findings = await checkJobs({ product, settings, deep: false, now: () => now })
    return findings.map(({ level, message }) => `${level} ${message}`)
  }
  assert.deepEqual(await linesOf(), [
    'ok nightly (at 02:00 UTC) starts with the server; next run 2027-03-02T02:00:00.000Z',
  ])
  const server = await startJobs(DATABASE_URL, jobs, () => now)
  t.after(server.stop)
  await until(async () => (await server.rowOf('nightly')) !== undefined)
  now = new Date('2027-03-02T02:00:00Z')
  await until(async () => (await server.rowOf('nightly'))?.succeeded_at !== null)
  assert.deepEqual(await linesOf(), [
    'ok nightly (at 02:00 UTC): last success 2027-03-02T02:00:00.000Z, next run 2027-03-03T02:00:00.000Z',
  ])
  isBroken = true
  now = new Date('2027-03-03T02:00:00Z')
  await until(async () => (await server.rowOf('nightly'))?.error !== null)
  assert.deepEqual(await linesOf(), [
    'warning nightly (at 02:00 UTC) failed at 2027-03-03T02:00:00.000Z: the archive is full. The last success was at 2027-03-02T02:00:00.000Z, the next run is at 2027-03-04T02:00:00.000Z.',
  ])
  await server.stop()
  now = new Date('2027-03-04T12:00:00Z')
  assert.deepEqual(await linesOf(), [
    'warning nightly (at 02:00 UTC) is overdue since 2027-03-04T02:00:00.000Z, last success 2027-03-02T02:00:00.000Z.',
  ])
})
