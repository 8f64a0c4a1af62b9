import { step } from '../../contract/contract.ts'
import type { FieldMessage } from '../../errors/errors.ts'
import { FormError } from '../../errors/errors.ts'
import { decodeTraits, readText } from '../../identities/schema/decode.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import { deriveFromTraits, registeredTargets } from '../../identities/schema/traits.ts'
import { turnOf } from '../../limits/guess.ts'
import { count, refundOnFailure } from '../../limits/limits.ts'
import type { NewCredential } from '../../storage/identities/credentials.ts'
import { messages } from '../../ui/messages.ts'
import { input, submit } from '../../ui/nodes.ts'
import { traitNodes } from '../../ui/trait-nodes.ts'
import type { JsonObject } from '../../wire/identity.ts'
import { checkPassword } from './policy.ts'

interface Input {
  readonly traits: JsonObject
  readonly password: string
}

export const registration = step<'registration', Input>('registration', {
  whenDisabled: { named: true },

  nodes(ctx, flow) {
    const field = input('password', 'password', 'password', {
      required: true,
      autocomplete: 'new-password',
      label: messages.inputPassword,
    })
    return [
      ...traitNodes(flowSchema(ctx.schemas, flow)),
      field,
      submit('password', 'password', messages.registrationSubmit),
    ]
  },

  parse(ctx, flow, values) {
    const schema = flowSchema(ctx.schemas, flow)
    const traits = decodeTraits(schema, values)
    const password = readText(values, 'password')
    const wrong: FieldMessage[] = [...schema.validate(traits)]
    if (password === undefined) wrong.push({ message: messages.required('password'), field: 'password' })
    if (wrong.length > 0 || password === undefined) throw new FormError(wrong)
    return { traits, password }
  },

  async submit(ctx, flow, { traits, password }) {
    const schema = flowSchema(ctx.schemas, flow)
    const identifiers = deriveFromTraits(schema, traits).identifiers.password
    if (identifiers.length === 0) throw new FormError(messages.noIdentifier)
    // A rejection costs no breach look-up or hash. Free and taken addresses both count (SEC-13).
    const counted = await count(ctx, { kind: 'registration', account: registeredTargets(schema, traits) })
    const hashed_password = await refundOnFailure(ctx, counted, async () => {
      await checkPassword(ctx, password, identifiers)
      return await ctx.hasher.hash(password, await turnOf(ctx))
    })
    const credentials: NewCredential[] = [{ type: 'password', identifiers, config: { hashed_password } }]
    const done = { traits, method: 'password' as const, credentials, counted }
    return { kind: 'done', flow, done }
  },
})
