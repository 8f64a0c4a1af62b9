import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { runs } from '@ostiary/identity/testing/input/sample'
import { assertStatuses, atMost, fault, figuresOf } from './fault.ts'
import { beginLookUps } from './load.ts'
import { newPlace, processFigures, signedIn } from './product.ts'

const ROWS = runs(20_000, 1_000_000)

fault('FLT-22 expired rows are deleted and the file shrinks while requests are served', async (report) => {
  await using place = await newPlace()
  const first = await place.start()
  await signedIn(first)
  await first.stop()
  fill(place.file, ROWS)
  const full = statSync(place.file).size
  const began = performance.now()
  const replica = await place.start()
  const token = await signedIn(replica)
  const load = beginLookUps(replica.port, token)
  const database = new DatabaseSync(place.file, { timeout: 5_000, readOnly: true })
  const left = database.prepare("select exists (select 1 from flows where expires_at < '2021') as any")
  while (left.get()?.any !== 0) await delay(100)
  const seconds = (performance.now() - began) / 1_000
  const size = database.prepare(
    'select page_count * page_size as bytes from pragma_page_count, pragma_page_size',
  )
  while (Number(size.get()?.bytes) > full / 2) await delay(100)
  const answers = await load.stop()
  const figures = { ...figuresOf(answers), ...(await processFigures(replica)) }
  report({ ...figures, recoveryMs: seconds * 1_000 })
  database.close()
  await replica.stop()
  assert.ok(statSync(place.file).size < full / 2)
  assertStatuses(answers, 200)
  assert.ok(figures.loopMaxMs < atMost(1_000), `${figures.loopMaxMs} ms`)
})

function fill(file: string, count: number): void {
  const database = new DatabaseSync(file)
  const numbers = `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${count}) select n from s)`
  const long_ago = "'2020-01-01T00:00:00.000Z'"
  database.exec('pragma synchronous = off; begin')
  database.exec(`insert into flows (id, kind, identity_id, expires_at, version, body)
    select printf('00000000-0000-4000-8000-%012x', n), 'login', null, ${long_ago}, 1, '{}' from ${numbers}`)
  database.exec(`insert into codes (id, flow_id, identity_id, address_id, address, secret_mac, created_at, expires_at)
    select printf('00000000-0000-4000-9000-%012x', n), printf('00000000-0000-4000-8000-%012x', n), null, null,
      'old@example.com', printf('%064x', n), ${long_ago}, ${long_ago} from ${numbers} where n % 10 = 0`)
  database.exec('commit')
  database.close()
}
