import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type Answer, answerOf, JSON_BODY, PASSWORD } from '@ostiary/identity/testing'
import { newDsn, testOnEach as test } from '@ostiary/identity/testing/kit/databases'
import { configFile, type Service, start, stop } from '@ostiary/identity/testing/kit/processes-kit'
import { ADA } from '@ostiary/identity/testing/kit/recovery-kit'

test('SEC-20 revoked and used credentials stay rejected after kill -9', async () => {
  const config = configFile(await newDsn({ shared: true }))
  const before = await start(config)
  await submit(before, 'registration', { method: 'password', password: PASSWORD, traits: { email: ADA } })
  const [kept, signedOut, revoked] = [await signIn(before), await signIn(before), await signIn(before)]
  const proof = await openVerification(before)
  assert.equal((await ask(before, 'POST', proof.path, proof.values, kept)).body.state, 'passed_challenge')
  const { id } = (await ask(before, 'GET', '/sessions/whoami', undefined, revoked)).body
  assert.equal((await ask(before, 'DELETE', `/sessions/${id}`, undefined, kept)).status, 204)
  const token = { session_token: signedOut['x-session-token'] }
  assert.equal((await ask(before, 'DELETE', '/self-service/logout/api', token)).status, 204)
  before.child.kill('SIGKILL')
  await once(before.child, 'exit')

  const after = await start(config)
  for (const old of [signedOut, revoked]) {
    for (const held of waysToShow(old)) {
      assert.equal((await ask(after, 'GET', '/sessions/whoami', undefined, held)).status, 401)
      assert.equal((await ask(after, 'GET', '/self-service/settings/api', undefined, held)).status, 401)
    }
  }
  const again = await ask(after, 'POST', proof.path, proof.values)
  assert.notEqual([again.status, again.body.state].join(), '200,passed_challenge')
  for (const held of waysToShow(kept)) {
    assert.equal((await ask(after, 'GET', '/sessions/whoami', undefined, held)).status, 200)
  }
  assert.equal(await stop(after), 0)
})

interface Token extends Record<string, string> {
  readonly 'x-session-token': string
}

function waysToShow(held: Token): Record<string, string>[] {
  const token = held['x-session-token']
  const cookie = `ory_kratos_session=${token}.${Math.floor(Date.now() / 1000) + 3600}`
  return [held, { authorization: `Bearer ${token}` }, { cookie }]
}

async function signIn(service: Service): Promise<Token> {
  const { body } = await submit(service, 'login', { method: 'password', identifier: ADA, password: PASSWORD })
  return { 'x-session-token': body.session_token }
}

async function openVerification(service: Service): Promise<{ path: string; values: object }> {
  const { body } = await submit(service, 'verification', { method: 'code', email: ADA })
  const mails = await answerOf(await fetch(`${service.admin_url}/admin/courier/messages`))
  const code = mails.body[0].body.match(/\b\d{6}\b/)[0]
  return { path: `/self-service/verification?flow=${body.id}`, values: { method: 'code', code } }
}

async function submit(service: Service, kind: string, values: object): Promise<Answer> {
  const { id } = (await ask(service, 'GET', `/self-service/${kind}/api`)).body
  const answer = await ask(service, 'POST', `/self-service/${kind}?flow=${id}`, values)
  assert.equal(answer.status, 200)
  return answer
}

async function ask(
  { url }: Service,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const sent = { accept: 'application/json', ...(body === undefined ? {} : JSON_BODY), ...headers }
  const init = { method, headers: sent, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  return await answerOf(await fetch(url + path, init))
}
