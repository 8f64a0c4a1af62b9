import type { IdentityChange } from '../contract/completion.ts'
import type { Context, Step } from '../contract/contract.ts'
import type { Attestation } from '../crypto/webauthn.ts'
import { FormError } from '../errors/errors.ts'
import { countFirstFactors } from '../identities/factors.ts'
import { isFor, readText } from '../identities/schema/decode.ts'
import { credentialOf, type Subject } from '../identities/subject.ts'
import type { Flow } from '../storage/flows/flows.ts'
import type { StoredFlowField } from '../storage/flows/memo.ts'
import { messages } from '../ui/messages.ts'
import { input } from '../ui/nodes.ts'
import type { UiNode } from '../wire/node.ts'
import type { UiText } from '../wire/text.ts'
import { readAttestation } from './answers.ts'
import { configOf, type Key, keysOf, removalId } from './keys.ts'
import type { Ceremony } from './nodes.ts'

/** How the settings of passkeys and of security keys differ. */
export interface KeyMethod {
  readonly id: 'passkey' | 'webauthn'
  readonly ceremony: StoredFlowField<Ceremony>
  readonly browsersOnly: boolean
  readonly field: string
  /** Required with the answer. */
  readonly nameField?: string
  readonly texts: {
    readonly remove: (display_name: string, added_at: string) => UiText
    readonly known: string
    readonly unknown: string
    readonly last: string
  }
  newCeremony(flow: Flow<'settings'>): Ceremony
  newKeyNodes(ctx: Context, flow: Flow<'settings'>, ceremony: Ceremony, subject: Subject): readonly UiNode[]
  /** Throws `FormError`. */
  readName(values: Readonly<Record<string, unknown>>): string
  /** Throws `FormError`. */
  addedKey(ctx: Context, ceremony: Ceremony | undefined, answer: Attestation, name: string): Promise<Key>
  identifiers(subject: Subject | undefined, keys: readonly Key[]): readonly string[]
}

type Input = { readonly remove: string } | { readonly response: string; readonly name: string }

export function keySettings(method: KeyMethod): Step<'settings', Input> {
  const { id, ceremony, field, texts } = method
  const isOffered = ({ type }: Flow) => type === 'browser' || !method.browsersOnly
  return {
    whenDisabled: {
      claimed: true,
      needs: (values) => (readText(values, field) === undefined ? undefined : method.nameField),
    },

    prepare: (_ctx, flow) => (isOffered(flow) ? ceremony.write(flow, method.newCeremony(flow)) : flow),

    nodes(ctx, flow, subject) {
      const open = ceremony.read(flow)
      if (!open || !subject) return []
      const isLast = countFirstFactors(ctx, subject.credentials) < 2
      const keys = keysOf(credentialOf(subject, id))
      return [
        ...keys.map((key) =>
          input(id, `${id}_remove`, 'submit', {
            value: removalId(key),
            label: texts.remove(key.display_name, key.added_at),
            disabled: key.is_passwordless && isLast,
          }),
        ),
        ...method.newKeyNodes(ctx, flow, { ...open, excluded: keys.map((key) => key.id) }, subject),
      ]
    },

    claims: (flow, values) => isOffered(flow) && isFor(values, id, `${id}_remove`, field),

    parse(_ctx, flow, values) {
      const remove = readText(values, `${id}_remove`)
      const response = readText(values, field)
      if (!ceremony.read(flow)) throw new FormError(messages.noSettingsMethod)
      if (remove !== undefined) return { remove }
      if (response === undefined) throw new FormError(messages.noSettingsMethod)
      return { response, name: method.readName(values) }
    },

    privileged: () => true,

    async submit(ctx, flow, input, { subject }) {
      const keys = keysOf(credentialOf(subject, id))
      if ('remove' in input) {
        const change = withoutKey(method, subject, input.remove)
        return { kind: 'completed', flow, completion: { method: id, change } }
      }
      const answer = readAttestation(input.response)
      const key = await method.addedKey(ctx, ceremony.read(flow), answer, input.name)
      if (keys.some((one) => one.id === key.id)) throw new FormError(messages.generic(texts.known))
      const change = changeTo(method, subject, [...keys, key])
      const aal = key.is_passwordless ? ('aal1' as const) : ('aal2' as const)
      return {
        kind: 'completed',
        flow: ceremony.write(flow, method.newCeremony(flow)),
        completion: { method: id, change, proved: { method: id, aal } },
        singleUse: true,
      }
    },
  }
}

function withoutKey(method: KeyMethod, subject: Subject | undefined, removed: string): IdentityChange {
  const { id, texts } = method
  const keys = keysOf(credentialOf(subject, id))
  const key = keys.find((one) => removalId(one) === removed)
  if (!key) throw new FormError(messages.generic(texts.unknown))
  const remainingKeys = keys.filter((one) => one !== key)
  const change = changeTo(method, subject, remainingKeys)
  if (!key.is_passwordless) return change
  // Kratos compatibility: passkeys too.
  const lastCredentialError = { message: messages.generic(texts.last), field: 'webauthn_remove' }
  return { ...change, lastCredentialError }
}

function changeTo(method: KeyMethod, subject: Subject | undefined, keys: readonly Key[]): IdentityChange {
  const { id: type } = method
  const expects = { type, previousCredential: credentialOf(subject, type) }
  if (keys.length === 0) return { expects, remove: [type] }
  const identifiers = method.identifiers(subject, keys)
  return { expects, put: [{ type, identifiers, config: configOf(keys) }] }
}
