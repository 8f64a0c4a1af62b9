import { readAttestation } from '../../authenticators/answers.ts'
import { configOf } from '../../authenticators/keys.ts'
import type { Submission } from '../../contract/contract.ts'
import { step } from '../../contract/contract.ts'
import type { Attestation } from '../../crypto/webauthn.ts'
import { FormError } from '../../errors/errors.ts'
import { readText, readTraits } from '../../identities/schema/decode.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import { messages } from '../../ui/messages.ts'
import { traitNodes } from '../../ui/trait-nodes.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { UiNode } from '../../wire/node.ts'
import { displayNameField } from './display-name.ts'
import { addedKey, newPasskeyCeremony, ownCeremony, registrationNodes } from './nodes.ts'

interface Input {
  readonly traits: JsonObject
  readonly answer: Attestation
}

export const registration = step<'registration', Input>('registration', {
  whenDisabled: { claimed: true },
  prepare(_ctx, flow) {
    return ownCeremony.write(flow, newPasskeyCeremony())
  },

  nodes(ctx, flow): readonly UiNode[] {
    const schema = flowSchema(ctx.schemas, flow)
    const field = displayNameField(schema)
    const ceremony = ownCeremony.read(flow)
    if (!ceremony || field === undefined) return []
    return [...traitNodes(schema), ...registrationNodes(ctx, flow, ceremony, field)]
  },

  claims: (_flow, { method, ...values }) =>
    (!method || method === 'passkey') && answerOf(values) !== undefined,

  parse(ctx, flow, values) {
    const schema = flowSchema(ctx.schemas, flow)
    const traits = readTraits(schema, values)
    const text = answerOf(values)
    if (text === undefined) throw new FormError(messages.noRegistrationMethod)
    return { traits, answer: readAttestation(text) }
  },

  async submit(ctx, flow, { traits, answer }) {
    const key = await addedKey(ctx, ownCeremony.read(flow), answer)
    const identifiers = key.user_handle === undefined ? [] : [key.user_handle]
    const credentials = [{ type: 'passkey' as const, identifiers, config: configOf([key]) }]
    return {
      kind: 'done',
      flow: ownCeremony.write(flow, newPasskeyCeremony()),
      done: { traits, method: 'passkey', credentials },
      singleUse: true,
    }
  },
})

/** Ory's React library submits `true` without a click. */
function answerOf(values: Submission['values']): string | undefined {
  const text = readText(values, 'passkey_register')
  return text === 'true' ? undefined : text
}
