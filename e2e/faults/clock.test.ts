import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '@ostiary/identity/testing/servers/postgres-server'
import { provide } from '@ostiary/identity/testing/servers/provide'
import { fault, NO_POSTGRES, need } from './fault.ts'
import { type Account, ask, register, signIn, whoami } from './load.ts'
import { createUsers, newPlace, processFigures, signedIn } from './product.ts'

const SECOND = 1
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

fault('FLT-12 a clock jump extends nothing and locks no user out', async (report) => {
  await using place = await newPlace()
  const clock = newClock(place.folder)
  const replica = await place.start(clock.settings)
  const { port } = replica
  const token = await signedIn(replica)
  const [user] = (await createUsers(replica, 1)) as [Account]
  for (let guess = 0; guess < 3; guess += 1)
    assert.equal(await signIn(port, { ...user, password: 'wrong' }), 400)
  const jumps = [SECOND, -SECOND, 30 * MINUTE, -30 * MINUTE, -DAY, -365 * DAY, 25 * HOUR]
  for (const [n, jump] of jumps.entries()) {
    clock.set(jump)
    const when = `after a jump of ${jump} s`
    assert.equal(await whoami(port, token), jump > DAY ? 401 : 200, `the session ${when}`)
    assert.equal(await signIn(port, user), 200, `a sign-in ${when}`)
    assert.equal(await register(port, `user-${n}@example.com`), 200, `a registration ${when}`)
    assert.equal((await ask(port, '/health/ready')).status, 200, `readiness ${when}`)
  }
  clock.set(-365 * DAY)
  // Limits must not last until then.
  assert.equal(await signIn(port, user), 200)
  report(await processFigures(replica))
})

fault('FLT-12 a replica accepts tokens of another one whose clock is half a minute ahead', async (report) => {
  await using server = need(await startPostgres(), NO_POSTGRES)
  const shared = {
    DATABASE_URL: server.url,
    SECRETS: randomBytes(32).toString('base64'),
    CODE_HOST_URL: 'http://127.0.0.1:9',
  }
  await using early = await newPlace(shared)
  await using late = await newPlace(shared)
  const clock = newClock(early.folder)
  const ahead = await early.start(clock.settings)
  const behind = await late.start()
  clock.set(30 * SECOND)
  const token = await signedIn(ahead)
  const headers = { 'X-Session-Token': token }
  const { body } = await ask(ahead.port, '/.ory/sessions/whoami?tokenize_as=my_app_jwt', headers)
  const { tokenized } = JSON.parse(body) as { tokenized: string }
  const bearer = { Authorization: `Bearer ${tokenized}` }
  assert.equal((await ask(behind.port, '/api/v1/cash/protected', bearer)).status, 502)
  assert.equal(
    (await ask(behind.port, '/api/v1/cash/protected', { Authorization: 'Bearer x.y.z' })).status,
    401,
  )
  assert.equal(await whoami(behind.port, token), 200)
  report(await processFigures(behind))
})

function newClock(folder: string) {
  const library = provide(() => globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0], 'libfaketime')
  const file = join(folder, 'clock')
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}s\n`)
  set(0)
  const settings = {
    LD_PRELOAD: need(library, 'libfaketime cannot be installed on this machine'),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  return { set, settings }
}
