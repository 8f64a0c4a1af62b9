import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleTraits } from '@ostiary/server/testing/sample-traits'
import { decodeJwt } from 'jose'
import * as config from '../../../../app.config.ts'
import { setRoles, signUp, startTestProduct, type TestProduct } from '../../test/product.ts'
import { rolesOf } from './roles.ts'

interface Session {
  readonly identity: { readonly id: string; readonly metadata_public: unknown }
  readonly tokenized: string
}

async function whoami(product: TestProduct, token: string): Promise<Session> {
  const headers = { 'X-Session-Token': token }
  const answer = await product.fetch('/.ory/sessions/whoami?tokenize_as=my_app_jwt', { headers })
  return (await answer.json()) as Session
}

test('a token names the roles that an operator added, once issued again', async () => {
  await using product = await startTestProduct()
  const token = await signUp(product, 'ada@example.com')
  const [role] = config.roles
  assert.equal(decodeJwt((await whoami(product, token)).tokenized).roles, undefined)
  await setRoles(product, token, [role, 'emperor'])
  assert.deepEqual(decodeJwt((await whoami(product, token)).tokenized).roles, [role])
})

test('SEC-87 a user cannot add a role', async () => {
  await using product = await startTestProduct()
  const own = { metadata_public: { roles: ['admin'] } }
  const claims = [own, { transient_payload: own }, { identity: own }, { 'metadata_public.roles': ['admin'] }]
  const open = async (kind: string, headers = {}) => {
    const opened = await product.fetch(`/.ory/self-service/${kind}/api`, { headers })
    return (await opened.json()) as { id: string }
  }
  const submit = async (kind: string, body: object, headers = {}) => {
    const { id } = await open(kind, headers)
    return await product.fetch(`/.ory/self-service/${kind}?flow=${id}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  }
  const values = { method: 'password', password: 'a long enough passphrase' }
  for (const [index, claim] of claims.entries()) {
    const traits = sampleTraits(config, `eve-${index}@example.com`)
    const answer = await submit('registration', { ...values, traits, ...claim })
    assert.equal(answer.status, 200)
    const { identity } = (await answer.json()) as Session
    assert.equal(identity.metadata_public, null)
  }
  const refused = await submit('registration', {
    ...values,
    traits: { ...sampleTraits(config, 'eve@example.com'), ...own },
  })
  assert.equal(refused.status, 400)

  const headers = { 'X-Session-Token': await signUp(product, 'eve@example.com') }
  for (const claim of claims) {
    const traits = sampleTraits(config, 'eve@example.com')
    const answer = await submit('settings', { method: 'profile', traits, ...claim }, headers)
    assert.equal(answer.status, 200)
  }
  const { identity, tokenized } = await whoami(product, headers['X-Session-Token'])
  assert.equal(identity.metadata_public, null)
  assert.equal(decodeJwt(tokenized).roles, undefined)
})

test('other metadata names no role', () => {
  for (const metadata of [undefined, null, 'admin', ['admin'], { roles: 'admin' }, { roles: [['admin'], 1] }])
    assert.deepEqual(rolesOf(metadata, config.roles), [])
})
