import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp, startTestProduct, type TestProduct } from '@ostiary/server/testing/product'

const ADA = 'ada@example.com'
const JSON_BODY = { 'content-type': 'application/json', accept: 'application/json' }

interface Recovered {
  readonly continue_with: readonly {
    readonly ory_session_token?: string
    readonly flow?: { readonly id: string }
  }[]
}

test('after a recovery the product asks for a new credential first', async () => {
  await using product = await startTestProduct()
  await signUp(product, ADA)
  const { token, settings } = await recover(product)
  const headers = { 'x-session-token': token }
  const whoami = await product.fetch('/.ory/sessions/whoami?tokenize_as=my_app_jwt', { headers })
  const { tokenized } = (await whoami.json()) as { tokenized: string }
  const calls = [
    () => product.fetch('/api/v1/cash/protected_user', { headers }),
    () => product.fetch('/api/v1/cash/protected', { headers: { authorization: `Bearer ${tokenized}` } }),
    () => product.fetch('/api/v1/account/export', { headers }),
    () => product.fetch('/api/v1/account/devices', { headers }),
  ]
  for (const call of calls) {
    const answer = await call()
    const { error } = (await answer.json()) as { error: { code: string } }
    assert.deepEqual([answer.status, error.code], [403, 'credential_required'])
  }
  assert.deepEqual(await stateOf(product, headers), { recovering: true })
  const values = { method: 'password', password: 'four rather quiet words' }
  assert.equal((await post(product, `settings?flow=${settings}`, values, headers)).status, 200)
  assert.deepEqual(await stateOf(product, headers), { recovering: false })
  for (const call of calls) assert.equal((await call()).status, 200)
})

test('a sign-in with a password needs nothing more', async () => {
  await using product = await startTestProduct()
  const headers = { 'x-session-token': await signUp(product, ADA) }
  assert.deepEqual(await stateOf(product, headers), { recovering: false })
  assert.equal((await product.fetch('/api/v1/account/session')).status, 401)
})

async function recover(product: TestProduct): Promise<{ token: string; settings: string }> {
  const { id } = (await (await product.fetch('/.ory/self-service/recovery/api')).json()) as { id: string }
  await post(product, `recovery?flow=${id}`, { method: 'code', email: ADA })
  const mails = await product.identity.listMails(5)
  const code = mails
    .find(({ template_type }) => template_type === 'recovery_code_valid')
    ?.body.match(/\b\d{6}\b/)?.[0]
  const { continue_with } = (await (
    await post(product, `recovery?flow=${id}`, { method: 'code', code })
  ).json()) as Recovered
  return {
    token: continue_with.find((one) => one.ory_session_token)?.ory_session_token ?? '',
    settings: continue_with.find((one) => one.flow)?.flow?.id ?? '',
  }
}

async function post(product: TestProduct, path: string, values: object, headers = {}): Promise<Response> {
  const init = { method: 'POST', headers: { ...JSON_BODY, ...headers }, body: JSON.stringify(values) }
  return await product.fetch(`/.ory/self-service/${path}`, init)
}

async function stateOf(product: TestProduct, headers: Record<string, string>): Promise<unknown> {
  return await (await product.fetch('/api/v1/account/session', { headers })).json()
}
