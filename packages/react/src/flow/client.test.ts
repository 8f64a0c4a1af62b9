import { expect, test } from 'vitest'
import { identityClient } from './client.ts'

const client = identityClient({ url: '/.ory' })
const nothing = undefined as never

test.each([
  ['getLoginFlow', 'id', () => client.getLoginFlow({ id: nothing })],
  ['updateLoginFlow', 'flow', () => client.updateLoginFlow({ flow: nothing, updateLoginFlowBody: nothing })],
  [
    'updateLoginFlow',
    'updateLoginFlowBody',
    () => client.updateLoginFlow({ flow: 'x', updateLoginFlowBody: nothing }),
  ],
  ['disableMySession', 'id', () => client.disableMySession({ id: nothing })],
  [
    'exchangeSessionToken',
    'initCode',
    () => client.exchangeSessionToken({ initCode: nothing, returnToCode: nothing }),
  ],
  [
    'performNativeLogout',
    'performNativeLogoutBody',
    () => client.performNativeLogout({ performNativeLogoutBody: nothing }),
  ],
])('%s without %s fails with the sentence of the identity client', async (call, parameter, work) => {
  await expect(work()).rejects.toThrow(
    `Required parameter "${parameter}" was null or undefined when calling ${call}().`,
  )
})
