import assert from 'node:assert/strict'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { testOnEach as test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'

async function made(identity: TestIdentity, email: string): Promise<string> {
  return (await identity.admin('POST', '/admin/identities', { traits: { email } })).body.id
}

test('one of many parallel requests gets an external id', async () => {
  const identity = await createTestIdentity()
  const emails = Array.from({ length: 8 }, (_, n) => `user-${n}@example.com`)
  const ids = await Promise.all(emails.map((email) => made(identity, email)))
  const patch = [{ op: 'add', path: '/external_id', value: 'crm-1' }]
  const answers = await Promise.all(
    ids.map((id) => identity.admin('PATCH', `/admin/identities/${id}`, patch)),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)])
})

test('parallel patches of different members all apply', async () => {
  const identity = await createTestIdentity()
  const id = await made(identity, 'ada@example.com')
  await identity.admin('PATCH', `/admin/identities/${id}`, [
    { op: 'add', path: '/metadata_public', value: {} },
  ])
  const names = Array.from({ length: 8 }, (_, n) => `member-${n}`)
  const answers = await Promise.all(
    names.map((name) =>
      identity.admin('PATCH', `/admin/identities/${id}`, [
        { op: 'add', path: `/metadata_public/${name}`, value: true },
      ]),
    ),
  )
  for (const { status } of answers) assert.equal(status, 200)
  const { body } = await identity.admin('GET', `/admin/identities/${id}`)
  assert.deepEqual(Object.keys(body.metadata_public).sort(), names)
})

test('refuses a change of an account that was changed since it was read', async () => {
  const identity = await createTestIdentity()
  const id = await made(identity, 'ada@example.com')
  const path = `/admin/identities/${id}`
  const read = (await identity.admin('GET', path)).headers.get('etag') ?? ''
  const patch = (tag: string, value: string) =>
    identity.admin('PATCH', path, [{ op: 'add', path: '/metadata_public', value }], { 'If-Match': tag })
  const answers = await Promise.all(['one', 'other'].map((value) => patch(read, value)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412])
  const traits = { email: 'ada@example.com' }
  assert.equal((await identity.admin('PUT', path, { traits }, { 'If-Match': read })).status, 412)
  assert.equal((await identity.admin('DELETE', path, undefined, { 'If-Match': read })).status, 412)
  const latest = (await identity.admin('GET', path)).headers.get('etag') ?? ''
  assert.equal((await patch(`"other", ${latest}`, 'third')).status, 200)
  assert.equal((await patch('*', 'fourth')).status, 200)
  const last = (await identity.admin('GET', path)).headers.get('etag') ?? ''
  assert.equal((await identity.admin('DELETE', path, undefined, { 'If-Match': last })).status, 204)
})

test('an operator replaces an account together with its password', async () => {
  const identity = await createTestIdentity()
  const id = await made(identity, 'ada@example.com')
  const answer = await identity.admin('PUT', `/admin/identities/${id}`, {
    traits: { email: 'ada@example.com' },
    credentials: { password: { config: { password: PASSWORD } } },
  })
  assert.equal(answer.status, 200)
  assert.equal((await identity.browser().signIn('ada@example.com')).status, 200)
})

test('an operator sets when an address was verified, in the years 1 to 9999', async () => {
  const identity = await createTestIdentity()
  const create = async (verified_at: string) => {
    const email = `${verified_at.replaceAll(/\W/g, '')}@example.com`
    const { status, body } = await identity.admin('POST', '/admin/identities', {
      traits: { email },
      verifiable_addresses: [{ value: email, via: 'email', verified: true, verified_at }],
    })
    return status === 201 ? body.verifiable_addresses[0].verified_at : status
  }
  assert.equal(await create('2001-02-03T06:05:06+02:00'), '2001-02-03T04:05:06.000Z')
  assert.equal(await create('1969-12-31T23:59:59.9999Z'), '1969-12-31T23:59:59.999Z')
  assert.equal(await create('0001-01-01T00:00:00Z'), '0001-01-01T00:00:00.000Z')
  assert.equal(await create('0001-01-01T00:00:00+02:00'), 400)
  assert.equal(await create('9999-12-31T23:59:59-02:00'), 400)
})
