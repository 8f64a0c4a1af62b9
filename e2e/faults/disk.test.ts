import assert from 'node:assert/strict'
import { appendFileSync, chmodSync, cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { runs } from '@ostiary/identity/testing/input/sample'
import { until } from '@ostiary/identity/testing/kit/until'
import { assertStatuses, assertWhole, atMost, fault, figuresOf, type Report, recoveryAfter } from './fault.ts'
import { needMounts, needProgram, pathIn, refuseWrites, withMounts, withoutPrivileges } from './linux.ts'
import { ask, beginLookUps, beginVisits, type Load } from './load.ts'
import { createUsers, newPlace, processFigures, type Replica, signedIn } from './product.ts'

/** Milliseconds; docs/operations.md has the measured ones. */
const LONGEST_REFUSAL = atMost(8_000)
const LONGEST_RECOVERY = atMost(10_000)
const LONGEST_LOOP_DELAY = atMost(1_000)
const WRITERS = 4

fault('FLT-04 while SQLite is locked, reads continue and writes get 503', async (report) => {
  await using place = await newPlace()
  const replica = await place.start()
  const { readers, writers, confirmed } = await beginBoth(replica)
  const other = new DatabaseSync(place.file, { timeout: 5_000 })
  other.exec('begin immediate')
  await delay(runs(0, 10_000))
  await untilRefused(writers)
  await assertOnlyReads(replica, readers, writers)
  other.exec('rollback')
  await assertRecovers(readers, writers, report)
  const figures = await processFigures(replica)
  report(figures)
  assert.ok(figures.loopMaxMs < LONGEST_LOOP_DELAY, `${figures.loopMaxMs} ms`)
  other.close()
  await replica.stop()
  await assertWhole(`sqlite://${place.file}`, confirmed, report)
})

fault(
  'FLT-05 on a full disk, reads continue, writes get 503, and freeing space is enough',
  async (report) => {
    needMounts()
    await using place = await newPlace()
    const through = withMounts('mount -t tmpfs -o size=8m tmpfs "$DATA_DIR"')
    const replica = await place.start({ LOG_LEVEL: 'error' }, { through })
    const { readers, writers, confirmed } = await beginBoth(replica)
    const filler = pathIn(replica, join(place.folder, 'filler'))
    const full = performance.now()
    fill(filler)
    await untilRefused(writers)
    await assertOnlyReads(replica, readers, writers)
    const alerts = replica.output().match(/requests are answered with 503/g) ?? []
    const minutes = Math.ceil((performance.now() - full) / 60_000)
    assert.ok(
      alerts.length <= 5 * minutes,
      `one alert a minute for each reason, not for each request: ${replica.output()}`,
    )
    rmSync(filler)
    await assertRecovers(readers, writers, report)
    report(await processFigures(replica))
    // Its files would change meanwhile.
    process.kill(replica.pid, 'SIGSTOP')
    // SQLite follows the link in this path.
    cpSync(pathIn(replica, place.folder), place.folder, { recursive: true })
    await assertWhole(`sqlite://${place.file}`, confirmed, report)
  },
)

fault('FLT-05 a full disk prevents the start with a reason', async () => {
  needMounts()
  for (const size of ['4k', '64k']) {
    await using place = await newPlace()
    const mount = `mount -t tmpfs -o size=${size} tmpfs "$DATA_DIR" && head -c 4096 /dev/zero > "$DATA_DIR/filler"`
    await assert.rejects(
      place.start({}, { through: withMounts(mount) }),
      /exit code 1\.[\s\S]*disk.* is full\.$/m,
    )
  }
})

fault('FLT-06 an unwritable database prevents the start with a reason', async () => {
  needProgram('setpriv')
  await using place = await newPlace()
  const first = await place.start()
  await createUsers(first, 1)
  await first.stop()
  const setWritable = (writable: boolean) => {
    chmodSync(place.folder, writable ? 0o700 : 0o500)
    for (const name of readdirSync(place.folder))
      chmodSync(join(place.folder, name), writable ? 0o600 : 0o400)
  }
  setWritable(false)
  await assert.rejects(
    place.start({}, { through: withoutPrivileges() }),
    /exit code 1\.\n.*cannot be written/,
  )
  setWritable(true)
  await (await place.start()).stop()
})

fault('FLT-06 while writes fail, sessions are recognized and writes get 503', async (report) => {
  needProgram('prlimit')
  await using place = await newPlace()
  const replica = await place.start()
  const { readers, writers, confirmed } = await beginBoth(replica)
  refuseWrites(replica, true)
  await untilRefused(writers)
  await assertOnlyReads(replica, readers, writers)
  refuseWrites(replica, false)
  await assertRecovers(readers, writers, report)
  report(await processFigures(replica))
  await replica.stop()
  await assertWhole(`sqlite://${place.file}`, confirmed, report)
})

async function beginBoth(replica: Replica) {
  const { port } = replica
  const token = await signedIn(replica)
  const readers = beginLookUps(port, token)
  const writers = beginVisits(port, WRITERS)
  await until(() => writers.confirmed.length >= 3)
  return { readers, writers, confirmed: writers.confirmed }
}

async function untilRefused({ answers }: Load): Promise<void> {
  await until(() => answers.filter(({ status }) => status >= 500).length >= WRITERS)
}

async function assertOnlyReads({ port }: Replica, readers: Load, writers: Load): Promise<void> {
  const refusals = writers.answers.filter(({ status }) => status !== 200)
  assertStatuses(refusals, 503)
  const slowest = Math.max(...refusals.map(({ ms }) => ms))
  assert.ok(slowest < LONGEST_REFUSAL, `refused after ${slowest} ms`)
  assertStatuses(readers.answers, 200)
  assert.equal((await ask(port, '/health/alive')).status, 200)
  // A check a second, of a write that may take two.
  await until(async () => (await ask(port, '/health/ready')).status === 503)
  assert.equal((await ask(port, '/login')).status, 200)
}

async function assertRecovers(readers: Load, writers: Load, report: Report): Promise<void> {
  const over = performance.now()
  const recovered = () => recoveryAfter(over, writers.answers)
  await until(() => Number.isFinite(recovered()))
  assert.ok(recovered() < LONGEST_RECOVERY, `something was written after ${recovered()} ms`)
  const all = [...(await readers.stop()), ...(await writers.stop())]
  report({ ...figuresOf(all), recoveryMs: recovered() })
}

function fill(path: string): void {
  for (let size = 1 << 16; size >= 1; ) {
    try {
      appendFileSync(path, Buffer.alloc(size))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      size >>= 1
    }
  }
}
