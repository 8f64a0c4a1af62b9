import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { kratos } from '@ostiary/kratos'
import { createIdentity, type IdentityConfigInput } from '../src/index.ts'
import { App } from '../src/testing/clients.ts'
import { atEnd, newDsn, testOnEach as test } from './kit/databases.ts'
import { userSchema } from './kit/kit.ts'

async function input(): Promise<IdentityConfigInput> {
  return {
    dsn: await newDsn(),
    dev: true,
    serve: { public: { base_url: 'http://identity.test/' } },
    selfservice: {
      default_browser_return_url: 'http://app.test/',
      methods: { password: { config: { haveibeenpwned_enabled: false } } },
    },
    hashers: { argon2: { memory: '1MB', iterations: 1, parallelism: 1 } },
    identity: { schemas: [{ id: 'default', schema: userSchema }] },
  }
}

async function service(config: IdentityConfigInput) {
  const warnings: string[] = []
  const quiet = () => {}
  const log = {
    debug: quiet,
    info: quiet,
    error: quiet,
    warn: (_: object, text: string) => void warnings.push(text),
  }
  const identity = await createIdentity(config, { defaults: 'kratos', kratos, log })
  atEnd(() => identity.stop())
  identity.start()
  return { identity, warnings }
}

test('a pending authorization survives a new configuration', async () => {
  const config = await input()
  const { identity } = await service(config)
  const app = new App((...request) => identity.publicApp.request(...request))
  const flow = await app.open('login')
  await identity.reconfigure({ ...config, session: { lifespan: '1h' } })
  const values = { method: 'password', identifier: 'ada@example.com', password: 'not known here' }
  const answer = await app.submit(flow, values)
  assert.equal(answer.status, 400)
  assert.equal(answer.body.id, flow.body.id)
})

test('the generated secret survives a new configuration', async () => {
  const config = await input()
  const { identity } = await service(config)
  const [before] = identity.config.secrets.default
  await identity.reconfigure({ ...config, revision: 'two' })
  assert.deepEqual(identity.config.secrets.default, [before])
  assert.equal(identity.config.revision, 'two')
})

test('a client opens as many forms as its limit allows, however often the configuration changes', async () => {
  const config = { ...(await input()), limits: { flow: { client: { burst: 100, refill: '1h' } } } }
  const { identity } = await service(config)
  const app = new App((...request) => identity.publicApp.request(...request))
  for (let n = 0; n < 60; n += 1) {
    assert.equal((await app.open('login')).status, 200, `form ${n}`)
    await identity.reconfigure({ ...config, revision: `${n}` })
  }
})

test('an invalid configuration changes nothing', async () => {
  const config = await input()
  const { identity } = await service(config)
  const before = identity.config
  await assert.rejects(identity.reconfigure({ ...config, dev: 'yes' } as never), /dev: expected a boolean/)
  assert.equal(identity.config, before)
})

test('logs warnings once and names keys that need a restart', async () => {
  const config = { ...(await input()), secrets: { default: ['a-secret-of-the-tests'] }, tracing: {} }
  const { identity, warnings } = await service(config as IdentityConfigInput)
  const serve = { ...config.serve, admin: { port: 9 } }
  await identity.reconfigure({ ...config, serve, session: { lifespan: '1h' } } as IdentityConfigInput)
  assert.equal(warnings.filter((text) => text.startsWith('tracing')).length, 1)
  const waiting = warnings.filter((text) => text.includes('after a restart'))
  assert.deepEqual(waiting, [
    'these settings take effect after a restart: serve.admin.base_url, serve.admin.port',
  ])
  assert.equal(identity.config.serve.admin.port, 4434)
  assert.equal(identity.config.session.lifespan, 3_600_000)
})

test('the last of several parallel configurations wins', async (t) => {
  const config = await input()
  const { identity } = await service(config)
  const slow = await slowMapper(t)
  const failing = assert.rejects(identity.reconfigure({ ...config, dev: 'yes' } as never), /dev: expected/)
  const first = identity.reconfigure({ ...config, ...slow.session, revision: 'first' })
  const last = identity.reconfigure({ ...config, revision: 'last' })
  await failing
  await slow.reading
  // Anything that does not wait has finished.
  await setImmediate()
  assert.notEqual(identity.config.revision, 'last')
  slow.finish()
  await Promise.all([first, last])
  assert.equal(identity.config.revision, 'last')
})

async function slowMapper(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'reconfigure-'))
  t.after(() => rm(folder, { recursive: true }))
  const read = Promise.withResolvers<void>()
  const rest = Promise.withResolvers<void>()
  Object.assign(globalThis, { beginSlowMapper: read.resolve, restOfSlowMapper: rest.promise })
  const lines = [
    'globalThis.beginSlowMapper()',
    'await globalThis.restOfSlowMapper',
    'export default () => ({ claims: {} })',
  ]
  await writeFile(join(folder, 'mapper.mjs'), lines.join('\n'))
  const app = { claims_mapper_url: `file://${join(folder, 'mapper.mjs')}` }
  return {
    session: { session: { whoami: { tokenizer: { templates: { app } } } } },
    reading: read.promise,
    finish: () => rest.resolve(),
  }
}
