import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Configuration, FrontendApi } from '@ory/client-fetch'

const calls: readonly (readonly [name: keyof FrontendApi, parameter: string])[] = [
  ['disableMySession', 'id'],
  ['exchangeSessionToken', 'initCode'],
  ['getLoginFlow', 'id'],
  ['getRegistrationFlow', 'id'],
  ['getVerificationFlow', 'id'],
  ['getRecoveryFlow', 'id'],
  ['getSettingsFlow', 'id'],
  ['updateLoginFlow', 'flow'],
  ['updateRegistrationFlow', 'flow'],
  ['updateVerificationFlow', 'flow'],
  ['updateRecoveryFlow', 'flow'],
  ['updateSettingsFlow', 'flow'],
  ['performNativeLogout', 'performNativeLogoutBody'],
  ['updateFedcmFlow', 'updateFedcmFlowBody'],
]

test('the official client names a missing parameter', async () => {
  const fetchApi = () => assert.fail('it asked')
  const api = new FrontendApi(new Configuration({ basePath: 'http://identity.test', fetchApi }))
  for (const [name, parameter] of calls) {
    const call = api[name] as (parameters: object) => Promise<unknown>
    const missing = `Required parameter "${parameter}" was null or undefined when calling ${name}`
    await assert.rejects(call.call(api, {}), new RegExp(missing))
  }
})
