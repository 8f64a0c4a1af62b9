import type { Config } from '../../config/config.ts'
import type { Strategy } from '../../contract/contract.ts'
import { channelOf } from '../../identities/schema/formats.ts'
import type { FlowKind } from '../../wire/flow.ts'
import { login } from './login.ts'
import { recovery } from './recovery.ts'
import { registration } from './registration.ts'
import { verification } from './verification.ts'

export const code: Strategy = {
  id: 'code',
  group: 'code',
  admin: {
    contents: (_ctx, { identifiers }) => ({
      addresses: identifiers.map((address) => ({ channel: channelOf(address), address })),
    }),
    version: 1,
  },
  secretFields: [{ name: 'code' }],
  enabled: isEnabled,
  steps: { login, recovery, registration, verification },
  factors(_credential, config) {
    const { enabled, passwordless_enabled } = config.selfservice.methods.code
    return enabled && passwordless_enabled ? ['aal1'] : []
  },
}

function isEnabled({ selfservice }: Config, flow: FlowKind): boolean {
  const { enabled, passwordless_enabled, mfa_enabled } = selfservice.methods.code
  if (flow === 'login') return enabled && (passwordless_enabled || mfa_enabled)
  return enabled && (flow !== 'registration' || passwordless_enabled)
}
