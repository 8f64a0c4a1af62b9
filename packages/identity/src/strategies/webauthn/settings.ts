import { readAttestation } from '../../authenticators/answers.ts'
import type { Key } from '../../authenticators/keys.ts'
import { configOf, keysOf, removalId } from '../../authenticators/keys.ts'
import { removalNodes } from '../../authenticators/nodes.ts'
import { step } from '../../contract/contract.ts'
import type { IdentityChange } from '../../contract/done.ts'
import type { Attestation } from '../../crypto/webauthn.ts'
import { FormError } from '../../errors/errors.ts'
import { countFirstFactors } from '../../identities/factors.ts'
import { isFor, readText } from '../../identities/schema/decode.ts'
import { deriveFromTraits } from '../../identities/schema/traits.ts'
import type { Subject } from '../../identities/subject.ts'
import { credentialOf } from '../../identities/subject.ts'
import type { Credential } from '../../storage/identities/credentials.ts'
import { messages } from '../../ui/messages.ts'
import type { UiNode } from '../../wire/node.ts'
import { addedKey, newKeyCeremony, newKeyNodes, ownCeremony, readKeyName } from './nodes.ts'

type Input = { readonly remove: string } | { readonly answer: Attestation; readonly name: string }

/** Browsers only. */
export const settings = step<'settings', Input>('settings', {
  whenDisabled: { claimed: true },
  prepare(_ctx, flow) {
    if (flow.type === 'api' || flow.identity_id === undefined) return flow
    return ownCeremony.write(flow, newKeyCeremony(flow.identity_id))
  },

  nodes(ctx, flow, subject): readonly UiNode[] {
    const ceremony = ownCeremony.read(flow)
    if (!ceremony || !subject) return []
    const isLast = countFirstFactors(ctx, subject.credentials) < 2
    const keys = keysOf(credentialOf(subject, 'webauthn'))
    return [
      ...removalNodes('webauthn', keys, messages.securityKeyRemove, (key) => key.is_passwordless && isLast),
      ...newKeyNodes(ctx, flow, ceremony, messages.securityKeyAdd),
    ]
  },

  claims: ({ type }, values) =>
    type === 'browser' && isFor(values, 'webauthn', 'webauthn_remove', 'webauthn_register'),

  parse(_ctx, flow, values) {
    const remove = readText(values, 'webauthn_remove')
    const text = readText(values, 'webauthn_register')
    if (!ownCeremony.read(flow) || (remove === undefined && text === undefined)) {
      throw new FormError(messages.noSettingsMethod)
    }
    if (remove !== undefined) return { remove }
    const name = readKeyName(values)
    const field = 'webauthn_register_displayname'
    if (name === undefined) throw new FormError(messages.required(field), field)
    return { answer: readAttestation(text ?? ''), name }
  },

  privileged: () => true,

  async submit(ctx, flow, input, { subject }) {
    const credential = credentialOf(subject, 'webauthn')
    const identifiers = credential?.identifiers ?? (subject ? identifiersOf(subject) : [])
    if ('remove' in input) {
      const change = without(credential, identifiers, input.remove)
      return { kind: 'done', flow, done: { method: 'webauthn', change } }
    }
    const key = await addedKey(ctx, ownCeremony.read(flow), input.answer, input.name)
    const keys = keysOf(credential)
    if (keys.some(({ id }) => id === key.id)) throw new FormError(messages.generic(KNOWN))
    const aal = key.is_passwordless ? ('aal1' as const) : ('aal2' as const)
    return {
      kind: 'done',
      flow: ownCeremony.write(flow, newKeyCeremony(flow.identity_id ?? '')),
      done: {
        method: 'webauthn',
        change: changeTo(credential, identifiers, [...keys, key]),
        proved: { method: 'webauthn', aal },
      },
      singleUse: true,
    }
  },
})

const KNOWN = 'This security key already belongs to your account.'

function identifiersOf({ schema, identity }: Subject): readonly string[] {
  return deriveFromTraits(schema, identity.traits).identifiers.webauthn
}

function without(
  credential: Credential | undefined,
  identifiers: readonly string[],
  removed: string,
): IdentityChange {
  const keys = keysOf(credential)
  const key = keys.find((one) => removalId(one) === removed)
  if (!key) {
    throw new FormError(messages.generic('Your account has no such key. Please check the list.'))
  }
  const left = keys.filter((one) => one !== key)
  const change = changeTo(credential, identifiers, left)
  if (!key.is_passwordless) return change
  return { ...change, lastCredentialError: { message: messages.generic(LAST), field: 'webauthn_remove' } }
}

const LAST = 'This is your only sign-in method. Please set a password or add another key first.'

function changeTo(
  credential: Credential | undefined,
  identifiers: readonly string[],
  keys: readonly Key[],
): IdentityChange {
  const expects = { type: 'webauthn' as const, version: credential?.version }
  if (keys.length === 0) return { expects, remove: ['webauthn'] }
  return { expects, put: [{ type: 'webauthn', identifiers, config: configOf(keys) }] }
}
