import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { PASSWORD } from '@ostiary/identity/testing'
import { atEnd, newDsn, testOn } from '@ostiary/identity/testing/kit/databases'
import { configFile, type Service, start, stop } from '@ostiary/identity/testing/kit/processes-kit'
import { until, untilServed } from '@ostiary/identity/testing/kit/until'
import { childrenOf } from '@ostiary/identity/testing/servers/children'
import { startMailServer } from '@ostiary/identity/testing/servers/mail-server'
import { program } from '@ostiary/identity/testing/servers/program'

/** Reaches both workers, except once in 30,000 runs. */
const MANY = 16
const WORKERS = { WORKERS: '2' }

// On SQLite, packages/server/test/workers.test.ts has the like.
testOn('PostgreSQL', 'two workers share state, and one sends the emails', async () => {
  const mail = await startMailServer()
  atEnd(mail.stop)
  const courier = { smtp: { connection_uri: mail.uri } }
  const dsn = await newDsn({ shared: true })
  const config = configFile(dsn, { courier, log: { level: 'info' } })
  const service = await start(config, { env: WORKERS })
  const users = Array.from({ length: 5 }, (_, n) => `user-${n}@example.com`)
  await Promise.all(users.map((email) => signUp(service, email)))
  const token = await signIn(service, 'user-0@example.com')
  const whoami = () => send(service, '/sessions/whoami', { headers: { 'x-session-token': token } })
  assert.deepEqual(await statusesOf(whoami), [200])
  await send(service, '/self-service/logout/api', { method: 'DELETE', body: { session_token: token } })
  assert.deepEqual(await statusesOf(whoami), [401])
  assert.deepEqual(await countedSignUps(service), ['5'])

  const settings = JSON.parse(readFileSync(config, 'utf8'))
  settings.selfservice.flows.registration = { enabled: false }
  writeFileSync(config, JSON.stringify(settings))
  await logged(service, 'configuration reloaded', 2)
  assert.deepEqual(await statusesOf(() => send(service, '/self-service/registration/api')), [400])
  await until(() => mail.received.length >= users.length)
  assert.equal(service.logged.filter((line) => line.startsWith('Public port')).length, 1)
  assert.equal(await stop(service), 0)
  assert.deepEqual(childrenOf(service.child.pid), [])
  assert.deepEqual(mail.received.map(({ to }) => to).sort(), users)
})

testOn('SQLite', 'FLT-01 replaces a killed worker on the same ports', async () => {
  const config = configFile(await newDsn({ shared: true }), { log: { level: 'info' } })
  const service = await start(config, { env: WORKERS })
  await Promise.all([1, 2, 3].map((n) => signUp(service, `user-${n}@example.com`)))
  assert.deepEqual(await countedSignUps(service), ['3'])
  const workers = childrenOf(service.child.pid)
  assert.equal(workers.length, 2)
  for (const [index, worker] of workers.entries()) {
    process.kill(worker, 'SIGKILL')
    await logged(service, 'worker replaced', index + 1)
  }
  await signUp(service, 'user-4@example.com')
  assert.deepEqual(await countedSignUps(service), ['4'])
  const metrics = await (await fetch(`${service.admin_url}/metrics`, CLOSE)).text()
  assert.match(metrics, /^identity_worker_exits_total 2$/m)
  assert.deepEqual(await statusesOf(() => fetch(`${service.admin_url}/health/ready`, CLOSE)), [200])
  assert.equal(await stop(service), 0)
})

testOn('SQLite', 'reports once why two workers cannot start', async () => {
  const dsn = await newDsn({ shared: true })
  const first = await start(configFile(dsn), { env: WORKERS })
  assert.equal(await stop(first), 0)
  const lost = configFile(dsn, { secrets: { default: ['another secret of the tests, long enough too'] } })
  for (const [config, workers, sentence] of [
    [configFile('memory'), '2', /^dsn: workers need a database that processes can share$/m],
    [
      configFile(dsn, { secrets: {} }),
      '2',
      /^secrets\.default: workers need a secret that all of them know$/m,
    ],
    [configFile(dsn), '0', /^WORKERS: must be a number from 1 to 99, or auto$/m],
    [lost, '2', /^secrets: .*run this once with --forget-secrets$/m],
  ] as const)
    assert.match(run(config, workers).stderr, sentence)
  assert.match(run(lost, '2', '--forget-secrets').stdout, /^The next start may have any secrets/)
  assert.equal(await stop(await start(lost, { env: WORKERS })), 0)
})

const CLOSE = { headers: { connection: 'close' } }

interface Init {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/** The system may assign it to any worker. */
async function send({ url }: Service, path: string, { body, ...init }: Init = {}): Promise<Response> {
  const headers = { ...CLOSE.headers, 'content-type': 'application/json', ...init.headers }
  return await fetch(url + path, { ...init, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
}

async function signUp(service: Service, email: string): Promise<void> {
  await submit(service, 'registration', { password: PASSWORD, traits: { email } })
}

async function signIn(service: Service, identifier: string): Promise<string> {
  const { session_token } = await submit(service, 'login', { password: PASSWORD, identifier })
  return String(session_token)
}

async function submit(service: Service, kind: string, fields: object): Promise<Record<string, unknown>> {
  const opened = await untilServed(() => send(service, `/self-service/${kind}/api`))
  const { id } = (await opened.json()) as { id: string }
  const body = { method: 'password', ...fields }
  const answer = await untilServed(() =>
    send(service, `/self-service/${kind}?flow=${id}`, { method: 'POST', body }),
  )
  assert.equal(answer.status, 200)
  return (await answer.json()) as Record<string, unknown>
}

async function statusesOf(request: () => Promise<Response>): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: MANY }, request))
  return [...new Set(answers.map(({ status }) => status))]
}

async function countedSignUps({ admin_url }: Service): Promise<(string | undefined)[]> {
  const scrapes = await Promise.all(
    Array.from({ length: MANY }, async () => await (await fetch(`${admin_url}/metrics`, CLOSE)).text()),
  )
  const count =
    /_count\{port="public",method="POST",route="\/self-service\/registration",status="200"\} (\d+)/
  return [...new Set(scrapes.map((text) => count.exec(text)?.[1]))]
}

function logged(service: Service, words: string, times: number): Promise<void> {
  return until(() => service.logged.filter((line) => line.includes(words)).length >= times)
}

function run(config: string, workers: string, ...args: string[]) {
  return spawnSync(process.execPath, [program, '--config', config, ...args], {
    encoding: 'utf8',
    env: { ...process.env, NODE_NO_WARNINGS: '1', WORKERS: workers },
  })
}
