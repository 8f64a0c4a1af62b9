import { readAttestation } from '../../authenticators/answers.ts'
import type { Key } from '../../authenticators/keys.ts'
import { configOf, keysOf, removalId } from '../../authenticators/keys.ts'
import { removalNodes } from '../../authenticators/nodes.ts'
import type { Context } from '../../contract/contract.ts'
import { step } from '../../contract/contract.ts'
import type { IdentityChange } from '../../contract/done.ts'
import type { Attestation } from '../../crypto/webauthn.ts'
import { FormError } from '../../errors/errors.ts'
import { countFirstFactors } from '../../identities/factors.ts'
import { isFor, readText } from '../../identities/schema/decode.ts'
import { credentialOf } from '../../identities/subject.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { Credential } from '../../storage/identities/credentials.ts'
import { messages } from '../../ui/messages.ts'
import type { UiNode } from '../../wire/node.ts'
import { addedKey } from './added-key.ts'
import { displayNameOf } from './display-name.ts'
import { newPasskeyCeremony, ownCeremony, settingsNodes } from './nodes.ts'

type Input = { readonly remove: string } | { readonly answer: Attestation }

export const settings = step<'settings', Input>('settings', {
  whenDisabled: { claimed: true },
  prepare(_ctx, flow) {
    return ownCeremony.write(flow, newPasskeyCeremony())
  },

  nodes(ctx, flow, subject): readonly UiNode[] {
    const ceremony = ownCeremony.read(flow)
    if (!ceremony || !subject) return []
    const { schema, identity, credentials } = subject
    const isLast = countFirstFactors(ctx, credentials) < 2
    const keys = keysOf(credentialOf(subject, 'passkey'))
    return [
      ...removalNodes('passkey', keys, messages.passkeyRemove, () => isLast),
      ...settingsNodes(ctx, flow, ceremony, displayNameOf(schema, identity.traits)),
    ]
  },

  claims: (_flow, values) => isFor(values, 'passkey', 'passkey_remove', 'passkey_settings_register'),

  parse(_ctx, _flow, values) {
    const remove = readText(values, 'passkey_remove')
    if (remove !== undefined) return { remove }
    const text = readText(values, 'passkey_settings_register')
    if (text === undefined) throw new FormError(messages.noSettingsMethod)
    return { answer: readAttestation(text) }
  },

  privileged: () => true,

  async submit(ctx, flow, input, { subject }) {
    const credential = credentialOf(subject, 'passkey')
    if ('remove' in input) {
      const change = without(credential, input.remove)
      return { kind: 'done', flow, done: { method: 'passkey', change } }
    }
    const change = changeTo(credential, await withAdded(ctx, flow, keysOf(credential), input.answer))
    const proved = { method: 'passkey' as const, aal: 'aal1' as const }
    return {
      kind: 'done',
      flow: ownCeremony.write(flow, newPasskeyCeremony()),
      done: { method: 'passkey', change, proved },
      singleUse: true,
    }
  },
})

async function withAdded(
  ctx: Context,
  flow: Flow<'settings'>,
  keys: readonly Key[],
  answer: Attestation,
): Promise<readonly Key[]> {
  const key = await addedKey(ctx, ownCeremony.read(flow), answer)
  if (keys.some(({ id }) => id === key.id)) {
    throw new FormError(messages.generic('This passkey already belongs to your account.'))
  }
  return [...keys, key]
}

function without(credential: Credential | undefined, removed: string): IdentityChange {
  const keys = keysOf(credential)
  const left = keys.filter((key) => removalId(key) !== removed)
  if (left.length === keys.length) {
    throw new FormError(messages.generic('Your account has no such passkey. Please check the list.'))
  }
  const lastCredentialError = { message: messages.generic(LAST), field: 'passkey_remove' }
  return { ...changeTo(credential, left), lastCredentialError }
}

const LAST = 'This is your only sign-in method. Please set a password or add another passkey first.'

function changeTo(credential: Credential | undefined, keys: readonly Key[]): IdentityChange {
  const expects = { type: 'passkey' as const, version: credential?.version }
  if (keys.length === 0) return { expects, remove: ['passkey'] }
  const handles = keys.flatMap(({ user_handle }) => (user_handle === undefined ? [] : [user_handle]))
  // Kratos compatibility: while other passkeys remain, signing in with a removed one shows error 4000008.
  const identifiers = [...new Set([...(credential?.identifiers ?? []), ...handles])]
  return { expects, put: [{ type: 'passkey', identifiers, config: configOf(keys) }] }
}
