import { type Key, newKey, UNNAMED } from '../../authenticators/keys.ts'
import type { Ceremony } from '../../authenticators/nodes.ts'
import { creationOptions, requestOptions, scriptNodes, triggerNode } from '../../authenticators/nodes.ts'
import type { Context } from '../../contract/contract.ts'
import { randomToken } from '../../crypto/random.ts'
import { type Attestation, newChallenge, verifyAttestation } from '../../crypto/webauthn.ts'
import { deviceName } from '../../devices/device-name.ts'
import { FormError } from '../../errors/errors.ts'
import type { IdentitySchema } from '../../identities/schema/schema.ts'
import type { MarkedTrait } from '../../identities/schema/schema-walk.ts'
import { textsAt } from '../../identities/schema/trait-at.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { storedFlowField } from '../../storage/flows/memo.ts'
import { messages } from '../../ui/messages.ts'
import { hidden, input } from '../../ui/nodes.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { UiNode } from '../../wire/node.ts'
import type { UiText } from '../../wire/text.ts'

export const ownCeremony = storedFlowField<Ceremony>('passkey')

/** Random, so that it reveals nothing. */
export function newPasskeyCeremony(): Ceremony {
  return {
    challenge: newChallenge(),
    user_handle: Buffer.from(randomToken(64)).toString('base64url'),
  }
}

export function loginNodes(
  ctx: Context,
  flow: Flow<'login'>,
  ceremony: Ceremony,
  hasButton: boolean,
): readonly UiNode[] {
  const { rp, timeouts, authenticator_selection } = ctx.config.selfservice.methods.passkey.config
  const { challenge, allowed } = ceremony
  const options = requestOptions({
    rp,
    challenge,
    allowed,
    timeout: timeouts.login,
    user_verification: authenticator_selection.user_verification,
  })
  const suggested = flow.refresh ? {} : { onloadTrigger: 'oryPasskeyLoginAutocompleteInit' }
  const onload =
    flow.refresh || flow.type === 'api' ? {} : { onload: 'window.oryPasskeyLoginAutocompleteInit()' }
  const button = triggerNode(flow, 'passkey', 'passkey_login_trigger', {
    calls: 'oryPasskeyLogin',
    label: messages.loginPasskey,
    value: '',
  })
  return [
    ...scriptNodes(ctx, flow),
    ...(hasButton ? [button] : []),
    input('passkey', 'passkey_login', 'hidden', { ...onload, ...suggested }),
    hidden('passkey', 'passkey_challenge', JSON.stringify(options)),
  ]
}

interface NewPasskey {
  readonly calls: string
  readonly label: UiText
  readonly value?: string
  readonly field: string
  readonly data: object
}

export function newPasskeyNodes(
  ctx: Context,
  flow: Flow<'registration' | 'settings'>,
  { field, data, ...trigger }: NewPasskey,
): readonly UiNode[] {
  return [
    ...scriptNodes(ctx, flow),
    triggerNode(flow, 'passkey', 'passkey_register_trigger', trigger),
    hidden('passkey', field),
    hidden('passkey', 'passkey_create_data', JSON.stringify(data)),
  ]
}

/** `name` defaults to that of this site. */
export function newPasskeyOptions(
  ctx: Context,
  { challenge, user_handle = '', excluded }: Ceremony,
  name?: string,
) {
  const { rp, timeouts, authenticator_selection, attestation } = ctx.config.selfservice.methods.passkey.config
  const { attachment, resident_key, user_verification } = authenticator_selection
  return creationOptions({
    rp,
    user: { handle: user_handle, name: name ?? rp.display_name },
    challenge,
    excluded,
    timeout: timeouts.registration,
    selection: {
      authenticatorAttachment: attachment,
      requireResidentKey: resident_key === 'required',
      residentKey: resident_key,
      userVerification: user_verification,
    },
    attestation: attestation.preference,
  })
}

/** Throws `FormError`. */
export async function addedKey(
  ctx: Context,
  ceremony: Ceremony | undefined,
  answer: Attestation,
): Promise<Key> {
  const { rp, authenticator_selection } = ctx.config.selfservice.methods.passkey.config
  const user_verification = authenticator_selection.user_verification === 'required'
  const attested =
    ceremony && (await verifyAttestation(answer, { challenge: ceremony.challenge, rp, user_verification }))
  if (!attested || ceremony.user_handle === undefined) throw new FormError(messages.generic(REFUSED))
  return newKey(attested, {
    display_name: UNNAMED,
    added_at: ctx.now().toISOString(),
    ...(ctx.request && { added_in: deviceName(ctx.request.device.user_agent).name }),
    is_passwordless: true,
    user_handle: ceremony.user_handle,
  })
}

const REFUSED =
  'This passkey could not be added. Please try again, and confirm with your fingerprint, your face or a PIN.'

type Named = Pick<IdentitySchema, 'leaves' | 'markedTraits'>

export function displayNameField({ leaves, markedTraits }: Named): string | undefined {
  const texts = markedTraits.filter(isDisplayName).map(({ steps }) => steps.join('.'))
  const [first] = texts.toSorted()
  return first ?? (leaves.find(({ identifies }) => identifies) ?? leaves[0])?.path
}

/** Empty without a marked trait. */
export function displayNameOf({ markedTraits }: Named, traits: JsonObject): string {
  const [name = ''] = markedTraits
    .filter(isDisplayName)
    .flatMap(({ steps }) => textsAt(traits, steps.slice(1)))
  return name
}

function isDisplayName({ marks: { credentials } }: MarkedTrait): boolean {
  return Boolean(credentials.passkey?.display_name || credentials.webauthn?.identifier)
}
