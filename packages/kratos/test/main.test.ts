import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '@ostiary/identity/testing/kit/until'
import { schema, serviceProcesses, settings } from '@ostiary/identity/testing/servers/service-processes'

const { folder, file, start, startWith } = serviceProcesses()

test('both ports respond, and a signal stops the service', async () => {
  const service = start(
    '--config',
    file('good.json', { tracing: {}, version: 'v26.2.0', log: { level: 'error' } }),
  )
  const admin = await service.shown(/Admin port: {2}127\.0\.0\.1:(\d+)/)
  const open = await service.shown(/Public port: 127\.0\.0\.1:(\d+), known as http:\/\/127\.0\.0\.1:4433\//)
  for (const url of [`http://127.0.0.1:${open}/health/ready`, `http://127.0.0.1:${admin}/health/alive`]) {
    assert.deepEqual(await (await fetch(url)).json(), { status: 'ok' })
  }
  const flow = await (await fetch(`http://127.0.0.1:${open}/self-service/login/api`)).json()
  assert.match(JSON.stringify(flow), /"action":"http:\/\/127\.0\.0\.1:4433\/self-service\/login\?flow=/)
  service.child.kill('SIGTERM')
  assert.equal(await service.ended, 0)
  assert.equal(service.output().match(/tracing ignored: this service does not support it/g)?.length, 1)
})

test('limits connections per address and answers pipelined requests in order', async () => {
  const serve = {
    public: { ...settings.serve.public, max_connections_per_address: 3 },
    admin: settings.serve.admin,
  }
  const service = start('--config', file('bounds.json', { serve, log: { level: 'warning' } }))
  const port = Number(await service.shown(/Public port: 127\.0\.0\.1:(\d+)/))
  const open = () => connect(port, '127.0.0.1').on('error', () => {})
  const kept = [open(), open(), open()]
  // A response proves that the connection was accepted.
  for (const socket of kept) {
    socket.write('GET /health/alive HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(socket, 'data')
  }
  await once(open().resume(), 'close')
  await service.shown(/too many connections: see serve\.public\.max_connections_per_address/)
  const [socket, ...rest] = kept
  const paths = ['/health/ready', '/nowhere', '/health/alive']
  socket?.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''))
  let answered = ''
  while ((answered.match(/HTTP\/1\.1/g) ?? []).length < 3)
    answered += String((await once(socket!, 'data'))[0])
  assert.deepEqual(answered.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200'])
  for (const one of [socket, ...rest]) one?.destroy()
  service.child.kill('SIGINT')
  assert.equal(await service.ended, 0)
})

test('the admin port trusts no headers of proxies', async () => {
  const serve = { ...settings.serve, public: { ...settings.serve.public, trusted_proxies: 1 } }
  const service = start('--config', file('proxies.json', { serve }))
  const headers = { 'x-forwarded-for': '9.9.9.9', 'x-request-id': 'forged' }
  const url = `http://127.0.0.1:${await service.shown(/Admin port: {2}127\.0\.0\.1:(\d+)/)}/admin`
  await fetch(`${url}/identities/${crypto.randomUUID()}`, { method: 'DELETE', headers })
  const [call] = (await (await fetch(`${url}/audit`)).json()) as Record<string, string>[]
  assert.equal(call?.client_address, '127.0.0.1')
  assert.notEqual(call?.request_id, 'forged')
  service.child.kill('SIGTERM')
  assert.equal(await service.ended, 0)
})

test('the admin port may be a Unix socket, also after a crash', async () => {
  const path = join(folder, 'admin.sock')
  const serve = { ...settings.serve, admin: { host: `unix:${path}`, socket: { mode: 0o600 } } }
  const config = file('socket.json', { serve })
  const first = start('--config', config)
  await first.shown(/Admin port: {2}(unix:)/)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  first.child.kill('SIGKILL')
  await first.ended
  const second = start('--config', config)
  await second.shown(/Admin port: {2}(unix:)/)
  const request = get({ socketPath: path, path: '/admin/identities' })
  const [response] = await once(request, 'response')
  assert.equal((response as IncomingMessage).statusCode, 200)
  response.resume()
  const third = start('--config', config)
  assert.equal(await third.ended, 1)
  assert.match(third.output(), /^The socket .*admin\.sock is used by another process.*serve\.admin\.host/)
  second.child.kill('SIGTERM')
  assert.equal(await second.ended, 0)
  assert.equal(existsSync(path), false)
})

test('a later file overrides an earlier one', async () => {
  const above = join(folder, 'above.yaml')
  writeFileSync(above, 'serve: { public: { base_url: "http://id.test/" } }\n')
  const service = start('-c', file('below.json'), '-c', above)
  await service.shown(/known as (http:\/\/id\.test\/)/)
  service.child.kill('SIGINT')
  assert.equal(await service.ended, 0)
})

async function ports(service: ReturnType<typeof start>) {
  const open = await service.shown(/Public port: 127\.0\.0\.1:(\d+)/)
  const admin = await service.shown(/Admin port: {2}127\.0\.0\.1:(\d+)/)
  return {
    get: (path: string) =>
      fetch(`http://127.0.0.1:${open}${path}`, { headers: { accept: 'application/json' } }),
    revision: async () => await (await fetch(`http://127.0.0.1:${admin}/admin/health/config`)).text(),
  }
}

test('applies a changed file without losing a request', async () => {
  const path = file('change.json', { revision: 'one' })
  const service = start('--config', path)
  const { get, revision } = await ports(service)
  assert.equal(await revision(), 'one')
  const statuses = new Set<number>()
  const statusOf = (path: string) =>
    get(path).then(
      ({ status }) => status,
      () => 0,
    )
  let isOver = false
  const load = (async () => {
    for (; !isOver; await delay(5)) statuses.add(await statusOf('/self-service/login/api'))
  })()
  assert.equal((await get('/self-service/recovery/api')).status, 400)
  const flows = { recovery: { enabled: true } }
  file('change.json', { revision: 'two', selfservice: { ...settings.selfservice, flows } })
  await until(async () => (await revision()) === 'two')
  assert.equal((await get('/self-service/recovery/api')).status, 200)
  isOver = true
  await load
  assert.deepEqual([...statuses], [200])
  service.child.kill('SIGTERM')
  assert.equal(await service.ended, 0)
})

test('reports an invalid file once and keeps the configuration', async () => {
  const path = file('wrong.json', { revision: 'one' })
  const service = start('--config', path)
  const { get, revision } = await ports(service)
  file('wrong.json', { revision: 'two', sesion: {} })
  await service.shown(/(configuration rejected: sesion: .*Did you mean session\?)/)
  assert.equal(await revision(), 'one')
  assert.equal((await get('/health/ready')).status, 200)
  file('wrong.json', { revision: 'three' })
  await until(async () => (await revision()) === 'three')
  assert.equal(service.output().match(/configuration rejected/g)?.length, 1)
})

test('reloads a referenced file', async () => {
  const user = join(folder, 'person.json')
  writeFileSync(user, JSON.stringify(schema))
  const identity = { schemas: [{ id: 'default', url: `file://${user}` }] }
  const service = start('--config', file('names.json', { identity }))
  const { get, revision } = await ports(service)
  const before = await revision()
  writeFileSync(user, '{')
  await service.shown(/(configuration rejected: identity\.schemas\[0\]\.url)/)
  assert.equal(await revision(), before)
  writeFileSync(user, JSON.stringify({ ...schema, title: 'Another title' }))
  await until(async () => (await revision()) !== before)
  const [{ schema: shown }] = await (await get('/schemas')).json()
  assert.equal(shown.title, 'Another title')
})

test('names a key that needs a restart', async () => {
  const path = file('restart.json', { revision: 'one' })
  const service = start('--config', path)
  const { get, revision } = await ports(service)
  const serve = { ...settings.serve, public: { ...settings.serve.public, port: 1 } }
  file('restart.json', { revision: 'two', serve, log: { level: 'error' } })
  await service.shown(/(take effect after a restart: log\.level, serve\.public\.port)/)
  await until(async () => (await revision()) === 'two')
  assert.equal((await get('/health/ready')).status, 200)
})

test('an environment variable overrides the file', async () => {
  const path = file('environment.json', { dsn: '' })
  const variables = { DSN: 'memory', SELFSERVICE_FLOWS_RECOVERY_ENABLED: 'true' }
  const { get } = await ports(startWith(variables, '--config', path))
  assert.equal((await get('/self-service/recovery/api')).status, 200)
})

test('identifies a configuration by revision or hash', async () => {
  const path = file('hash.json')
  const { revision } = await ports(start('--config', path))
  const before = await revision()
  assert.match(before, /^[0-9a-f]{64}$/)
  file('hash.json', { session: { lifespan: '1h' } })
  await until(async () => (await revision()) !== before)
})

test('refuses a database without its secrets unless --forget-secrets', async () => {
  const dsn = `sqlite://${join(folder, 'lost-secrets.sqlite')}`
  const first = start('--config', file('first.json', { dsn }))
  await first.shown(/Public port/)
  first.child.kill('SIGTERM')
  await first.ended
  const other = file('other.json', { dsn, secrets: { default: ['another-secret-of-the-tests'] } })
  const refused = start('--config', other)
  assert.equal(await refused.ended, 1)
  assert.match(refused.output(), /a secret that is missing here.*run this once with --forget-secrets/)
  const forgetting = start('--config', other, '--forget-secrets')
  assert.equal(await forgetting.ended, 0)
  assert.match(forgetting.output(), /^The next start may have any secrets/)
  await start('--config', other).shown(/Public port/)
})

test('--help shows how to start', async () => {
  const service = start('--help')
  assert.equal(await service.ended, 0)
  assert.match(service.output(), /--config FILE/)
})

const given = (name: string, config: object) => () => ['--config', file(name, config)]
const nowhere = { dsn: join(folder, 'no/where/id.sqlite') }

const refusals: [name: string, args: () => string[], sentence: RegExp][] = [
  ['no file is named', () => [], /^Name a configuration file/],
  [
    'no database is named',
    () => ['import', ...given('import.json', {})()],
    /^Name a database with --from-kratos-database/,
  ],
  ['an option is unknown', () => ['--confg', 'x'], /--confg/],
  ['the file is not there', () => ['--config', join(folder, 'nowhere.yaml')], /the file does not exist/],
  ['a value is wrong', given('value.json', { dev: 3 }), /^dev: expected a boolean$/m],
  ['the database cannot be opened', given('dsn.json', nowhere), /^dsn: /],
]

for (const [name, args, sentence] of refusals) {
  test(`reports that ${name}, and exits`, async () => {
    const service = start(...args())
    assert.equal(await service.ended, 1)
    assert.match(service.output(), sentence)
    assert.doesNotMatch(service.output(), /^\s+at |node:internal|a-secret-of/m)
  })
}

test('names a taken port and exits', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  after(() => other.close())
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo
  for (const which of ['public', 'admin'] as const) {
    const serve = { ...settings.serve, [which]: { ...settings.serve[which], port } }
    const service = start('--config', file('taken.json', { serve }))
    assert.equal(await service.ended, 1)
    const sentence = new RegExp(`^Port ${port} is used by another program.*serve\\.${which}\\.port`)
    assert.match(service.output(), sentence)
  }
})
