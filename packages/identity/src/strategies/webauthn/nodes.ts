import type { Ceremony } from '../../authenticators/ceremony.ts'
import { scriptNodes, triggerNode } from '../../authenticators/nodes.ts'
import { creationOptions, requestOptions } from '../../authenticators/options.ts'
import type { Context } from '../../contract/contract.ts'
import { newChallenge } from '../../crypto/webauthn.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { memoPart } from '../../storage/flows/memo.ts'
import { messages } from '../../ui/messages.ts'
import { hidden, input } from '../../ui/nodes.ts'
import type { UiNode } from '../../wire/node.ts'
import type { UiText } from '../../wire/text.ts'
import { userVerification } from './user-verification.ts'

export const ownCeremony = memoPart<Ceremony>('webauthn')

const TIMEOUT_MS = 120_000

/** A challenge for a new key. `identity_id` is a UUID. */
export function newKeyCeremony(identity_id: string): Ceremony {
  const user_handle = Buffer.from(identity_id.replaceAll('-', ''), 'hex').toString('base64url')
  return { challenge: newChallenge(), user_handle }
}

/** The field for the response, and the button with the challenge. */
export function loginNodes(
  ctx: Context,
  flow: Flow<'login'>,
  { challenge, allowed }: Ceremony,
  label: UiText,
): readonly UiNode[] {
  const { rp } = ctx.config.selfservice.methods.webauthn.config
  const user_verification = userVerification(ctx, flow.requested_aal !== 'aal2')
  const request = requestOptions({ rp, challenge, allowed, timeout: TIMEOUT_MS, user_verification })
  const options = JSON.stringify(request)
  const calls = 'oryWebAuthnLogin'
  return [
    ...scriptNodes(ctx, flow),
    triggerNode(flow, 'webauthn', 'webauthn_login_trigger', { calls, label, value: options, options }),
    hidden('webauthn', 'webauthn_login', ''),
  ]
}

/** The key's name, the field for the response, and the button with the challenge. */
export function newKeyNodes(
  ctx: Context,
  flow: Flow<'registration' | 'settings'>,
  { challenge, user_handle = '' }: Ceremony,
  label: UiText,
): readonly UiNode[] {
  const { rp, passwordless } = ctx.config.selfservice.methods.webauthn.config
  const user = { handle: user_handle, name: rp.display_name }
  const selection = { userVerification: userVerification(ctx, passwordless) }
  const options = JSON.stringify(creationOptions({ rp, user, challenge, timeout: TIMEOUT_MS, selection }))
  const calls = 'oryWebAuthnRegistration'
  return [
    ...scriptNodes(ctx, flow),
    input('webauthn', 'webauthn_register_displayname', 'text', {
      value: '',
      label: messages.securityKeyName,
    }),
    hidden('webauthn', 'webauthn_register', ''),
    triggerNode(flow, 'webauthn', 'webauthn_register_trigger', { calls, label, value: options, options }),
  ]
}
