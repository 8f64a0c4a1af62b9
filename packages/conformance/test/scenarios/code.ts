import assert from 'node:assert/strict'
import type { FrontendApi, LoginFlow, RegistrationFlow } from '@ory/client-fetch'
import { openApp, openBrowser, refused } from '../callers.ts'
import { type Form, fieldMessageIds, messageIds, submitLogin, submitRegistration } from '../forms.ts'
import { Absent, newEmail, scenario } from '../target.ts'
import { mailedCode, newUser, wrongCode } from '../users.ts'

export const code = [
  scenario('a page makes an account by a mailed code, without a password', async (target) => {
    const { api } = openBrowser(target)
    const traits = { email: newEmail() }
    const flow = withCode(await api.createBrowserRegistrationFlow())
    const sent = await refused(submitRegistration(api, flow, { method: 'code', traits }))
    assert.deepEqual([sent.status, sent.body.state], [400, 'sent_email'])
    const mailed = await mailedCode(target, traits.email, 'registration_code_valid')
    const wrong = await refused(
      submitRegistration(api, flow, { method: 'code', traits, code: wrongCode(mailed) }),
    )
    assert.deepEqual([wrong.status, messageIds(wrong.body)], [400, [4040003]])
    await submitRegistration(api, flow, { method: 'code', traits, code: mailed })
    const { identity, authentication_methods } = await api.toSession()
    assert.equal(identity?.verifiable_addresses?.[0]?.verified, true)
    assert.deepEqual(
      authentication_methods?.map(({ method }) => method),
      ['code'],
    )
  }),

  scenario('a page signs a user in by a mailed code', async (target) => {
    const { api } = openBrowser(target)
    await enter(api, await api.createBrowserLoginFlow(), await newUser(target), (email) =>
      mailedCode(target, email, 'login_code_valid'),
    )
    assert.equal((await api.toSession()).authenticator_assurance_level, 'aal1')
  }),

  scenario('an app signs a user in by a mailed code', async (target) => {
    const app = openApp(target)
    const token = await enter(app, await app.createNativeLoginFlow(), await newUser(target), (email) =>
      mailedCode(target, email, 'login_code_valid'),
    )
    assert.ok(token)
    assert.equal((await app.toSession({ xSessionToken: token })).active, true)
  }),

  scenario('without an address no code is sent', async (target) => {
    const { api } = openBrowser(target)
    const flow = withCode(await api.createBrowserLoginFlow())
    const answer = await refused(submitLogin(api, flow, { method: 'code', csrf_token: '' }))
    assert.deepEqual([answer.status, fieldMessageIds(answer.body, 'identifier')], [400, [4000002]])
  }),
]

async function enter(
  api: FrontendApi,
  flow: LoginFlow,
  identifier: string,
  read: (email: string) => Promise<string>,
): Promise<string | undefined> {
  withCode(flow)
  const submit = (more: { code?: string }) =>
    submitLogin(api, flow, { method: 'code', identifier, csrf_token: '', ...more })
  const sent = await refused(submit({}))
  assert.deepEqual([sent.status, sent.body.state, messageIds(sent.body)], [400, 'sent_email', [1010014]])
  const mailed = await read(identifier)
  const wrong = await refused(submit({ code: wrongCode(mailed) }))
  assert.deepEqual([wrong.status, messageIds(wrong.body)], [400, [4010008]])
  return (await submit({ code: mailed })).session_token
}

function withCode<F extends Form & (LoginFlow | RegistrationFlow)>(flow: F): F {
  if (flow.ui.nodes.some(({ group }) => group === 'code')) return flow
  throw new Absent('no user can sign in by a code (selfservice.methods.code.passwordless_enabled)')
}
