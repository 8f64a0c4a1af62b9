import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const folder = mkdtempSync(join(tmpdir(), 'identity-main-'))
after(() => rmSync(folder, { recursive: true }))

const schema = {
  type: 'object',
  properties: { traits: { type: 'object', properties: { email: { type: 'string' } } } },
}

const settings = {
  dsn: 'memory',
  dev: true,
  log: { level: 'warning' },
  secrets: { default: ['a-secret-of-the-tests'] },
  serve: {
    public: { host: '127.0.0.1', port: 0, base_url: 'http://127.0.0.1:4433/' },
    admin: { host: '127.0.0.1', port: 0 },
  },
  selfservice: { default_browser_return_url: 'https://app.test/' },
  identity: {
    schemas: [{ id: 'default', url: `base64://${Buffer.from(JSON.stringify(schema)).toString('base64')}` }],
  },
}

/** A configuration file: the settings above with other members over them. */
function file(name: string, members: object = {}): string {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify({ ...settings, ...members }))
  return path
}

/** The service as a process of its own. */
function start(...args: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { stdio: 'pipe' })
  after(() => child.kill('SIGKILL'))
  let output = ''
  const waiting: (() => void)[] = []
  const take = (chunk: Buffer) => {
    output += chunk
    for (const wake of waiting.splice(0)) wake()
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const shown = async (pattern: RegExp): Promise<string> => {
    const match = pattern.exec(output)
    if (match) return match[1] ?? ''
    await Promise.race([new Promise<void>((resolve) => waiting.push(resolve)), ended])
    assert.equal(child.exitCode, null, output)
    return await shown(pattern)
  }
  return { child, ended, shown, output: () => output }
}

test('both ports answer, each has its line, and a signal ends the service in good order', async () => {
  const service = start('--config', file('good.json', { tracing: {}, version: 'v26.2.0' }))
  const admin = await service.shown(/Admin port: {2}127\.0\.0\.1:(\d+)/)
  const open = await service.shown(/Public port: 127\.0\.0\.1:(\d+), known as http:\/\/127\.0\.0\.1:4433\//)
  for (const url of [`http://127.0.0.1:${open}/health/ready`, `http://127.0.0.1:${admin}/health/alive`]) {
    assert.deepEqual(await (await fetch(url)).json(), { status: 'ok' })
  }
  const flow = await (await fetch(`http://127.0.0.1:${open}/self-service/login/api`)).json()
  assert.match(JSON.stringify(flow), /"action":"http:\/\/127\.0\.0\.1:4433\/self-service\/login\?flow=/)
  service.child.kill('SIGTERM')
  assert.equal(await service.ended, 0)
  assert.equal(service.output().match(/tracing is a setting of Ory Kratos/g)?.length, 1)
})

test('a later file lies over an earlier one', async () => {
  const above = join(folder, 'above.yaml')
  writeFileSync(above, 'serve: { public: { base_url: "http://id.test/" } }\n')
  const service = start('-c', file('below.json'), '-c', above)
  await service.shown(/known as (http:\/\/id\.test\/)/)
  service.child.kill('SIGINT')
  assert.equal(await service.ended, 0)
})

test('--help says how to start it', async () => {
  const service = start('--help')
  assert.equal(await service.ended, 0)
  assert.match(service.output(), /--config FILE/)
})

const refusals: [name: string, args: () => string[], sentence: RegExp][] = [
  ['no file is named', () => [], /^Name a configuration file/],
  ['an option is unknown', () => ['--confg', 'x'], /--confg/],
  ['the file is not there', () => ['--config', join(folder, 'nowhere.yaml')], /there is no such file/],
  [
    'a key is unknown',
    () => ['--config', file('key.json', { sesion: {} })],
    /^sesion: .*did you mean session\?$/m,
  ],
  ['a value is wrong', () => ['--config', file('value.json', { dev: 3 })], /^dev: expected a boolean$/m],
  [
    'SEC-55 a secret is missing',
    () => ['--config', file('secret.json', { dev: false, secrets: {} })],
    /^secrets\.default: is missing/,
  ],
  [
    'SEC-55 a secret is short',
    () => ['--config', file('short.json', { dev: false })],
    /^secrets\.default\[0\]: expected at least 32/,
  ],
  [
    'the database cannot be opened',
    () => ['--config', file('dsn.json', { dsn: join(folder, 'no/where/id.sqlite') })],
    /^dsn: /,
  ],
]

for (const [name, args, sentence] of refusals) {
  test(`where ${name}, the service says so in words and ends`, async () => {
    const service = start(...args())
    assert.equal(await service.ended, 1)
    assert.match(service.output(), sentence)
    assert.doesNotMatch(service.output(), /^\s+at |node:internal|a-secret-of/m)
  })
}

test('where a port is taken, the service names it and ends', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  after(() => other.close())
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo
  for (const which of ['public', 'admin'] as const) {
    const serve = { ...settings.serve, [which]: { ...settings.serve[which], port } }
    const service = start('--config', file('taken.json', { serve }))
    assert.equal(await service.ended, 1)
    assert.match(
      service.output(),
      new RegExp(`^serve\\.${which}\\.port: port ${port} is used by another program`),
    )
  }
})
