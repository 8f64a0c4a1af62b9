import { lastRecipient } from '../../codes/memo.ts'
import { step } from '../../contract/contract.ts'
import { FormError } from '../../errors/errors.ts'
import { readText, readTraits } from '../../identities/schema/decode.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import { traitValues } from '../../identities/schema/traits.ts'
import { messages } from '../../ui/messages.ts'
import { submit } from '../../ui/nodes.ts'
import { traitNodes } from '../../ui/trait-nodes.ts'
import type { JsonObject } from '../../wire/identity.ts'

interface Input {
  readonly screen: 'previous' | 'credential-selection'
  readonly traits: JsonObject
}

export const registration = step<'registration', Input>('registration', {
  onFirstScreen: true,

  nodes(ctx, flow) {
    const button = flow.memo.second_screen
      ? submit('profile', 'previous', messages.registrationBack, 'screen')
      : submit('profile', 'profile', messages.registrationSubmit)
    return [...traitNodes(flowSchema(ctx.schemas, flow)), button]
  },

  claims: (_flow, values) => readText(values, 'screen') !== undefined || values.method === 'profile:back',

  parse(ctx, flow, values) {
    const screen = readText(values, 'screen') ?? (values.method === 'profile:back' ? 'previous' : FORWARD)
    if (screen !== 'previous' && screen !== FORWARD) {
      throw new FormError(messages.generic(`The screen must be previous or ${FORWARD}.`), 'screen')
    }
    return { screen, traits: readTraits(flowSchema(ctx.schemas, flow), values) }
  },

  async submit(ctx, flow, { screen, traits }, { transient_payload }) {
    const { active: _, ...rest } = flow
    const { second_screen: __, messages: ___, ...before } = lastRecipient.write(flow, undefined).memo
    const values = traitValues(flowSchema(ctx.schemas, flow), traits)
    const state = 'choose_method' as const
    if (screen === 'previous') return { kind: 'stay', flow: { ...rest, state, memo: { ...before, values } } }
    const memo = {
      ...before,
      values,
      second_screen: {},
      messages: [{ message: messages.registrationChooseCredential }],
    }
    return { kind: 'stay', flow: { ...rest, state, memo }, shown: { transient_payload } }
  },
})

const FORWARD = 'credential-selection' as const
