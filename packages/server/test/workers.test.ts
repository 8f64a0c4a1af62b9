import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { atEnd, newDsn, testOn } from '@ostiary/identity/testing/kit/databases'
import { until } from '@ostiary/identity/testing/kit/until'
import { isAlive } from '@ostiary/identity/testing/servers/children'
import { startMailServer } from '@ostiary/identity/testing/servers/mail-server'
import { sampleTraits } from '@ostiary/server/testing/sample-traits'
import * as product from '../../../app.config.ts'
import { randomSecret } from './product.ts'
import { machine, main } from './running-server.ts'
import { folder, type Server, send, startWorkers } from './running-workers.ts'

const PASSWORD = 'several words of a test'
/** Reaches both workers, except once in 30,000 runs. */
const MANY = 16

const CODE = /\b\d{6}\b/

testOn('SQLite', 'workers share sessions, limits and metrics, and send each email once', async () => {
  const mail = await startMailServer()
  atEnd(mail.stop)
  const server = await startWorkers({ DATABASE_URL: await databaseUrl(), SMTP_URL: mail.uri })
  const emails = Array.from({ length: 5 }, (_, n) => `user-${n}@example.com`)
  const flows = await Promise.all(emails.map((email) => register(server, email)))
  const codes = () => mail.received.filter(({ data }) => CODE.test(data))
  await until(() => codes().length >= emails.length)
  const [email = ''] = emails
  const code = CODE.exec(codes().find(({ to }) => to === email)?.data ?? '')?.[0]
  await send(server, 'POST', `/.ory/self-service/verification?flow=${flows[0]}`, {
    body: { method: 'code', code },
  })
  const { session_token: token = '' } = (await signIn(server, email, PASSWORD)).body
  const whoami = () => manyTimes(() => send(server, 'GET', '/.ory/sessions/whoami', { token }))
  assert.deepEqual(
    await whoami(),
    Array.from({ length: MANY }, () => 200),
  )
  await send(server, 'DELETE', '/.ory/self-service/logout/api', { body: { session_token: token } })
  assert.deepEqual(
    await whoami(),
    Array.from({ length: MANY }, () => 401),
  )
  let guesses = 0
  while ((await signIn(server, email, 'a wrong guess')).status === 400) guesses += 1
  // One more after 1 s, 2 s, 4 s; twice as many if each worker counted its own.
  assert.ok(guesses >= 10 && guesses < 20, `${guesses} guesses`)
  const metrics = await (await fetch(`${server.admin}/metrics`)).text()
  const answered = (status: number) => {
    const name =
      'http_request_duration_seconds_count{port="public",method="POST",route="/.ory/self-service/login"'
    return metrics.split(`${name},status="${status}"} `)[1]?.split('\n')[0]
  }
  assert.deepEqual([200, 400, 429].map(answered), ['1', `${guesses}`, '1'])
  assert.match(metrics, /^identity_messages_queued_total\{channel="email",template="\w+"\} 5$/m)
  assert.match(metrics, /^identity_build_info\{version="[\d.]+"\} 1$/m)
  // The first user also got an email about the sign-in.
  const ids = mail.received.map(({ message_id }) => message_id)
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual([...new Set(mail.received.map(({ to }) => to))].sort(), emails)
  assert.equal(await server.stop(), 0)
})

testOn('SQLite', 'FLT-01 kill -9 of a worker fails its own connections only', async () => {
  const server = await startWorkers({
    DATABASE_URL: await databaseUrl(),
    NODE_ENV: 'production',
    SECRETS: randomSecret(),
    SMTP_URL: 'off',
    LISTEN_HOST: '127.0.0.1',
    DRAIN_MS: '4000',
  })
  let failed = 0
  let over = false
  const statuses: number[] = []
  const visit = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!over) {
      const answer = await send(server, 'GET', '/.ory/self-service/login/api', { agent }).catch(
        () => undefined,
      )
      if (answer) statuses.push(answer.status)
      else failed += 1
      // A load balancer sends no more requests.
      if (answer?.last) break
      await delay(20)
    }
    agent.destroy()
  }
  atEnd(() => {
    over = true
  })
  const visits = Promise.all([1, 2, 3, 4].map(visit))
  const before = server.workers()
  assert.equal(before.length, 2)
  await until(() => statuses.length > 0)
  for (const [index, worker] of before.entries()) {
    process.kill(worker, 'SIGKILL')
    await until(() => server.output().match(/worker replaced/g)?.length === index + 1)
  }
  // Requests that the second worker had begun have failed.
  await until(() => statuses.length > 10)
  failed = 0
  assert.equal(await server.stop(), 0)
  over = true
  await visits
  assert.equal(failed, 0)
  // A busy machine may refuse new forms.
  assert.deepEqual(
    [...new Set(statuses)].filter((status) => status !== 200 && status !== 503),
    [],
  )
  assert.deepEqual(server.workers(), [])
})

testOn(
  'SQLite',
  'the demo is one: its inbox, its providers, its announcement; a taken port and a database in memory end it with one sentence',
  async () => {
    const server = await startWorkers({})
    await Promise.all(['ada@example.com', 'bob@example.com'].map((email) => register(server, email)))
    const inboxes = await Promise.all(
      Array.from(
        { length: MANY },
        async () => (await send(server, 'GET', '/demo/api/mails')).body.mails?.length,
      ),
    )
    assert.equal(new Set(inboxes).size, 1)
    assert.ok(inboxes[0])
    for (const { id } of product.demoProviders) {
      const keys = await Promise.all(
        Array.from({ length: MANY }, async () =>
          JSON.stringify((await send(server, 'GET', `/demo/providers/${id}/jwks`)).body),
        ),
      )
      assert.equal(new Set(keys).size, 1)
      assert.match(keys[0] ?? '', /"kty":"RSA"/)
    }
    for (const [env, sentence] of [
      [{ PORT: server.port, DATA_DIR: folder() }, /^Port \d+ is used by another program\./],
      [{ DATABASE_URL: 'memory:' }, /^WORKERS=2 needs a database that processes can share\./],
    ] as const) {
      const second = spawnSync(process.execPath, main, {
        encoding: 'utf8',
        env: { ...machine, WORKERS: '2', LOG_LEVEL: 'silent', ...env },
      })
      assert.equal(second.status, 1)
      assert.match(second.stderr, sentence)
      assert.equal(second.stderr.trim().split('\n').length, 1)
    }
    assert.equal(server.output().match(/Inbox/g)?.length, 1)
    assert.equal(await server.stop(), 0)
  },
)

testOn('SQLite', 'FLT-31 without the primary no worker stays', async () => {
  const server = await startWorkers({})
  const workers = server.workers()
  server.child.kill('SIGKILL')
  await until(() => workers.every((worker) => !isAlive(worker)))
})

async function manyTimes(work: () => Promise<{ status: number }>): Promise<number[]> {
  return await Promise.all(Array.from({ length: MANY }, async () => (await work()).status))
}

async function register(server: Server, email: string): Promise<string> {
  const { body } = await send(server, 'GET', '/.ory/self-service/registration/api')
  const registered = await send(server, 'POST', `/.ory/self-service/registration?flow=${body.id}`, {
    body: { method: 'password', password: PASSWORD, traits: sampleTraits(product, email) },
  })
  assert.equal(registered.status, 200)
  return registered.body.continue_with?.find(({ flow }) => flow)?.flow?.id ?? ''
}

async function signIn(server: Server, identifier: string, password: string) {
  const { body } = await send(server, 'GET', '/.ory/self-service/login/api')
  return await send(server, 'POST', `/.ory/self-service/login?flow=${body.id}`, {
    body: { method: 'password', identifier, password },
  })
}

async function databaseUrl(): Promise<string> {
  const dsn = await newDsn({ shared: true, hasty: true })
  return /^(sqlite|postgres)/.test(dsn) ? dsn : `sqlite:${dsn}`
}
