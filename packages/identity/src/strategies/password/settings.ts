import type { Context } from '../../contract/contract.ts'
import { step } from '../../contract/contract.ts'
import { FormError } from '../../errors/errors.ts'
import { readText } from '../../identities/schema/decode.ts'
import { deriveFromTraits } from '../../identities/schema/traits.ts'
import type { Subject } from '../../identities/subject.ts'
import { credentialOf } from '../../identities/subject.ts'
import { guess, passwordBudgets, turnOf } from '../../limits/guess.ts'
import { count, refund, refundOnFailure } from '../../limits/limits.ts'
import { messages } from '../../ui/messages.ts'
import { input, submit } from '../../ui/nodes.ts'
import { checkPassword } from './policy.ts'

interface Input {
  readonly password: string
}

export const settings = step<'settings', Input>('settings', {
  whenDisabled: { named: true },
  nodes() {
    const field = input('password', 'password', 'password', {
      required: true,
      autocomplete: 'new-password',
      label: messages.inputPassword,
    })
    return [field, submit('password', 'password', messages.saveLabel)]
  },

  parse(_ctx, _flow, values) {
    const password = readText(values, 'password')
    if (password === undefined) throw new FormError(messages.required('password'), 'password')
    return { password }
  },

  privileged: () => true,

  async submit(ctx, flow, { password }, { subject }) {
    const identifiers = subject ? identifiersOf(subject) : []
    if (!subject || identifiers.length === 0) throw new FormError(messages.noIdentifier)
    const counted = await count(ctx, { kind: 'flow' })
    const hashed_password = await refundOnFailure(ctx, counted, async () => {
      await checkPassword(ctx, password, identifiers)
      if (await isPresent(ctx, subject, password)) throw new FormError(messages.passwordUnchanged, 'password')
      return await ctx.hasher.hash(password, await turnOf(ctx, subject.identity.id))
    })
    const put = [{ type: 'password' as const, identifiers, config: { hashed_password } }]
    // Kratos compatibility: web hooks get no payload.
    return {
      kind: 'done',
      flow,
      done: { method: 'password', change: { put }, counted, transient_payload: {} },
    }
  },
})

function identifiersOf({ schema, identity }: Subject): readonly string[] {
  return deriveFromTraits(schema, identity.traits).identifiers.password
}

async function isPresent(ctx: Context, subject: Subject, password: string): Promise<boolean> {
  const identity_id = subject.identity.id
  const credential = credentialOf(subject, 'password')
  const hash = credential?.config.hashed_password
  if (typeof hash !== 'string') return false
  const account = passwordBudgets(credential?.identifiers ?? [], identity_id)
  const attempt = { kind: 'password' as const, account, identity_id }
  const same = await guess(ctx, attempt, async (turn) =>
    (await ctx.hasher.verify(password, hash, turn)) ? true : undefined,
  )
  if (same) await refund(ctx, same.counted)
  return same !== undefined
}
