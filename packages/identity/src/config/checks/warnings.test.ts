import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConfig } from '../config.ts'

const parse = (members: object) =>
  parseConfig({
    dsn: 'memory',
    dev: true,
    secrets: { default: ['a-secret-of-the-tests'] },
    selfservice: { default_browser_return_url: 'https://app.test/home/' },
    identity: { schemas: [{ id: 'default', schema: { type: 'object' } }] },
    ...members,
  })

test('raises a low Argon2 memory with a warning', () => {
  const { config, warnings } = parse({ hashers: { argon2: { memory: '1KB' } } })
  assert.equal(config.hashers.argon2.memory, 64 * 1024)
  assert.match(warnings[0]!, /^hashers\.argon2\.memory: 1024B is less than Argon2 needs.*64KB/)
})

test('uses the first of two schemas with the same id, with a warning', () => {
  const schemas = [
    { id: 'default', schema: { title: 'first' } },
    { id: 'default', schema: { title: 'second' } },
  ]
  const { config, warnings } = parse({ identity: { schemas } })
  assert.deepEqual(config.identity.schemas, [
    { id: 'default', selfservice_selectable: false, schema: { title: 'first' } },
  ])
  assert.match(warnings[0]!, /^identity\.schemas: the id default is duplicated/)
})

test('warns about lifted limits only', () => {
  const { warnings } = parse({ limits: { flow: { total: 'off', reserve: 'off' }, notice: 'off' } })
  assert.deepEqual(warnings, [
    'limits.notice.account is off: attempts at one account are not limited',
    'limits.flow.total is off: attempts of all clients together are not limited',
  ])
})
