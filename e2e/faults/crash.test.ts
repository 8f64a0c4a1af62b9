import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { runs } from '@ostiary/identity/testing/input/sample'
import { startPostgres } from '@ostiary/identity/testing/servers/postgres-server'
import {
  assertWhole,
  atMost,
  fault,
  figuresOf,
  NO_POSTGRES,
  need,
  type Report,
  recoveryAfter,
} from './fault.ts'
import { beginVisits } from './load.ts'
import { createUsers, newPlace, type Place } from './product.ts'

const ROUNDS = runs(2, 20)
const CLIENTS = 16
const ACCOUNTS = runs(16, 64)
/** In milliseconds. */
const LONGEST_RECOVERY = atMost(15_000)

fault('FLT-01 kill -9 under load loses no confirmed account, on SQLite', async (report) => {
  await using place = await newPlace()
  const confirmed = await killAgainAndAgain(place, report)
  await assertWhole(`sqlite://${place.file}`, confirmed, report)
  const database = new DatabaseSync(place.file)
  assert.equal(database.prepare('pragma integrity_check').get()?.integrity_check, 'ok')
  database.close()
})

fault('FLT-02 kill -9 under load loses no confirmed account, on PostgreSQL', async (report) => {
  await using server = need(await startPostgres(), NO_POSTGRES)
  await using place = await newPlace({ DATABASE_URL: server.url })
  const confirmed = await killAgainAndAgain(place, report)
  await assertWhole(server.url, confirmed, report)
})

async function killAgainAndAgain(place: Place, report: Report): Promise<readonly string[]> {
  let replica = await place.start()
  const load = beginVisits(replica.port, CLIENTS, await createUsers(replica, ACCOUNTS))
  const { confirmed } = load
  const recoveries: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    // At another point of each round, late enough for a slow machine.
    const enough = confirmed.length + 5
    await delay(500 + ((round * 733) % 2_000))
    while (confirmed.length < enough) await delay(10)
    await replica.kill()
    const killed = performance.now()
    replica = await place.start()
    while (!load.answers.some(({ at, status }) => at > killed && status === 200)) await delay(5)
    recoveries.push(recoveryAfter(killed, load.answers))
  }
  const answers = await load.stop()
  await replica.stop()
  const recoveryMs = Math.max(...recoveries)
  report({ ...figuresOf(answers), recoveryMs })
  assert.ok(recoveryMs < LONGEST_RECOVERY, `back after ${recoveryMs} ms`)
  return confirmed
}
