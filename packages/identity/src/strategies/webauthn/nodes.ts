import { type Key, newKey } from '../../authenticators/keys.ts'
import type { Ceremony, UserVerification } from '../../authenticators/nodes.ts'
import { creationOptions, requestOptions, scriptNodes, triggerNode } from '../../authenticators/nodes.ts'
import type { Context } from '../../contract/contract.ts'
import { type Attestation, newChallenge, verifyAttestation } from '../../crypto/webauthn.ts'
import { FormError } from '../../errors/errors.ts'
import { readText } from '../../identities/schema/decode.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { storedFlowField } from '../../storage/flows/memo.ts'
import { messages } from '../../ui/messages.ts'
import { hidden, input } from '../../ui/nodes.ts'
import type { UiNode } from '../../wire/node.ts'
import type { UiText } from '../../wire/text.ts'

export const ownCeremony = storedFlowField<Ceremony>('webauthn')

const TIMEOUT_MS = 120_000

export function newKeyCeremony(identity_id: string): Ceremony {
  const user_handle = Buffer.from(identity_id.replaceAll('-', ''), 'hex').toString('base64url')
  return { challenge: newChallenge(), user_handle }
}

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
    triggerNode(flow, 'webauthn', 'webauthn_login_trigger', { calls, label, value: options }),
    hidden('webauthn', 'webauthn_login', ''),
  ]
}

export function newKeyNodes(
  ctx: Context,
  flow: Flow<'registration' | 'settings'>,
  { challenge, user_handle = '', excluded }: Ceremony,
  label: UiText,
): readonly UiNode[] {
  const { rp, passwordless } = ctx.config.selfservice.methods.webauthn.config
  const user = { handle: user_handle, name: rp.display_name }
  const selection = { userVerification: userVerification(ctx, passwordless) }
  const creation = { rp, user, challenge, excluded, timeout: TIMEOUT_MS, selection }
  const options = JSON.stringify(creationOptions(creation))
  const calls = 'oryWebAuthnRegistration'
  return [
    ...scriptNodes(ctx, flow),
    input('webauthn', 'webauthn_register_displayname', 'text', {
      value: '',
      label: messages.securityKeyName,
    }),
    hidden('webauthn', 'webauthn_register', ''),
    triggerNode(flow, 'webauthn', 'webauthn_register_trigger', { calls, label, value: options }),
  ]
}

/** A key alone must also verify the user, unless configured. */
export function userVerification({ config }: Pick<Context, 'config'>, isAlone: boolean): UserVerification {
  const { authenticator_selection } = config.selfservice.methods.webauthn.config
  return authenticator_selection.user_verification ?? (isAlone ? 'required' : 'discouraged')
}

const LONGEST_NAME = 100

/** Throws `FormError` if the name is too long. */
export function readKeyName(values: Readonly<Record<string, unknown>>): string | undefined {
  const name = readText(values, 'webauthn_register_displayname')?.trim()
  if (name === undefined || name === '') return undefined
  if (name.length <= LONGEST_NAME) return name
  throw new FormError(messages.tooLong(LONGEST_NAME, name.length), 'webauthn_register_displayname')
}

/** Throws `FormError`. */
export async function addedKey(
  ctx: Context,
  ceremony: Ceremony | undefined,
  answer: Attestation,
  display_name: string,
): Promise<Key> {
  const { rp, passwordless } = ctx.config.selfservice.methods.webauthn.config
  const user_verification = userVerification(ctx, passwordless) === 'required'
  const attested =
    ceremony && (await verifyAttestation(answer, { challenge: ceremony.challenge, rp, user_verification }))
  if (!attested) throw new FormError(messages.generic(passwordless ? REFUSED_ALONE : REFUSED))
  const added_at = ctx.now().toISOString()
  return newKey(attested, { display_name, added_at, is_passwordless: passwordless })
}

const REFUSED = 'This security key could not be added. Please try again.'
const REFUSED_ALONE =
  'This security key could not be added. Please try again, and confirm with your fingerprint, your face or a PIN.'
