import { readAttestation } from '../../authenticators/answers.ts'
import { configOf, UNNAMED } from '../../authenticators/keys.ts'
import { step } from '../../contract/contract.ts'
import { newId } from '../../crypto/random.ts'
import type { Attestation } from '../../crypto/webauthn.ts'
import type { FieldMessage } from '../../errors/errors.ts'
import { FormError } from '../../errors/errors.ts'
import { decodeTraits, isFor, readText } from '../../identities/schema/decode.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import { deriveFromTraits } from '../../identities/schema/traits.ts'
import { messages } from '../../ui/messages.ts'
import { traitNodes } from '../../ui/trait-nodes.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { UiNode } from '../../wire/node.ts'
import { addedKey, newKeyCeremony, newKeyNodes, ownCeremony, readKeyName } from './nodes.ts'

interface Input {
  readonly traits: JsonObject
  readonly answer: Attestation
  readonly name: string
}

export const registration = step<'registration', Input>('registration', {
  prepare(_ctx, flow) {
    if (flow.type === 'api') return flow
    return ownCeremony.write(flow, newKeyCeremony(newId()))
  },

  nodes(ctx, flow): readonly UiNode[] {
    const ceremony = ownCeremony.read(flow)
    if (!ceremony) return []
    return [
      ...traitNodes(flowSchema(ctx.schemas, flow)),
      ...newKeyNodes(ctx, flow, ceremony, messages.registrationSecurityKey),
    ]
  },

  claims: (_flow, values) => isFor(values, 'webauthn', 'webauthn_register'),

  parse(ctx, flow, values) {
    if (!ownCeremony.read(flow)) throw new FormError(messages.noRegistrationMethod)
    const schema = flowSchema(ctx.schemas, flow)
    const traits = decodeTraits(schema, values)
    const text = readText(values, 'webauthn_register')
    const wrong: FieldMessage[] = [...schema.validate(traits)]
    if (text === undefined) {
      wrong.push({ message: messages.required('webauthn_register'), field: 'webauthn_register' })
    }
    if (wrong.length > 0 || text === undefined) throw new FormError(wrong)
    return { traits, answer: readAttestation(text), name: readKeyName(values) ?? UNNAMED }
  },

  async submit(ctx, flow, { traits, answer, name }) {
    const identifiers = deriveFromTraits(flowSchema(ctx.schemas, flow), traits).identifiers.webauthn
    if (identifiers.length === 0) throw new FormError(messages.noIdentifier)
    const key = await addedKey(ctx, ownCeremony.read(flow), answer, name)
    const credentials = [{ type: 'webauthn' as const, identifiers, config: configOf([key]) }]
    return {
      kind: 'done',
      flow: ownCeremony.write(flow, newKeyCeremony(newId())),
      done: { traits, method: 'webauthn', credentials },
      singleUse: true,
    }
  },
})
