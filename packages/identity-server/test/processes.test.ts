import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { PASSWORD } from '@ostiary/identity/testing'
import { atEnd, newDsn, openTestDatabase, testOn } from '@ostiary/identity/testing/kit/databases'
import { configFile, type Service, start, stop } from '@ostiary/identity/testing/kit/processes-kit'
import { sql } from 'kysely'

testOn('PostgreSQL', 'FLT-02 a service killed in a transaction leaves no lock', async () => {
  const dsn = await newDsn()
  const db = await openTestDatabase(dsn)
  const now = new Date().toISOString()
  const row = { id: randomUUID(), body: '{}', created_at: now, updated_at: now }
  const program = `
    const { openDatabase, withTransaction } = await import(${JSON.stringify(import.meta.resolve('../../identity/src/storage/db.ts'))})
    await withTransaction(await openDatabase(${JSON.stringify(dsn)}), async (db) => {
      await db.insertInto('errors').values(${JSON.stringify(row)}).execute()
      process.stdout.write('locked')
      await new Promise(() => setInterval(() => {}, 1000))
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Also at its end.
  await once(child.stdout, 'readable')
  assert.equal(String(child.stdout.read()), 'locked')
  child.kill('SIGKILL')
  await once(child, 'exit')
  await db.insertInto('errors').values(row).execute()
  const { rows } = await sql`select 1 from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
  assert.deepEqual(rows, [])
})

testOn('PostgreSQL', 'FLT-19 no request fails while two replicas restart in turn', async () => {
  const config = configFile(await newDsn(), { dev: false })
  const replicas = [await start(config), await start(config)]
  const statuses: number[] = []
  let over = false
  atEnd(() => {
    over = true
  })
  const visit = async (name: number) => {
    for (let count = 0; !over; count += 1) {
      statuses.push((await register(() => replicas, `${name}-${count}@example.com`)).status)
      await delay(20)
    }
  }
  const visits = Promise.all([1, 2, 3, 4].map(visit))
  for (const leaving of [...replicas]) {
    replicas.splice(replicas.indexOf(leaving), 1)
    assert.equal(await Promise.race([stop(leaving), visits]), 0)
    replicas.push(await start(config))
  }
  over = true
  await visits
  assert.ok(statuses.length > 10)
  assert.deepEqual([...new Set(statuses)], [200])
})

async function register(running: () => readonly Service[], email: string): Promise<Response> {
  const opened = await send(running, '/self-service/registration/api')
  const { id } = (await opened.json()) as { id: string }
  const body = JSON.stringify({ method: 'password', password: PASSWORD, traits: { email } })
  const headers = { 'content-type': 'application/json' }
  const answer = await send(running, `/self-service/registration?flow=${id}`, {
    method: 'POST',
    headers,
    body,
  })
  await answer.arrayBuffer()
  return answer
}

let turn = 0

async function send(
  running: () => readonly Service[],
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const services = running()
  const url = services[turn++ % services.length]?.url
  try {
    return await fetch(`${url}${path}`, { ...init, headers: { ...init.headers, connection: 'close' } })
  } catch (error) {
    // A load balancer tries the next one.
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined
    const refused = cause?.syscall === 'connect'
    if (refused && running().some((one) => one.url !== url)) return await send(running, path, init)
    throw error
  }
}
