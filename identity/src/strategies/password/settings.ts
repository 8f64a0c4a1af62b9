import type { Context } from '../../contract.ts'
import { step } from '../../contract.ts'
import { FormError } from '../../errors.ts'
import { readObject, readText } from '../../identities/decode.ts'
import { deriveFromTraits } from '../../identities/traits.ts'
import { guess, turnOf } from '../../limits/guess.ts'
import { listCredentials } from '../../storage/credentials.ts'
import type { StoredIdentity } from '../../storage/identities.ts'
import { findIdentity } from '../../storage/identities.ts'
import { messages } from '../../ui/messages.ts'
import { input, submit } from '../../ui/nodes.ts'
import { checkPassword } from './policy.ts'

interface Input {
  readonly password: string
}

/** Choosing a new password, or the first one. */
export const settings = step<'settings', Input>('settings', {
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
    readObject(values, 'transient_payload')
    if (password === undefined) throw new FormError(messages.required('password'), 'password')
    return { password }
  },

  privileged: () => true,

  async submit(ctx, flow, { password }) {
    const identity = flow.identity_id === undefined ? undefined : await findIdentity(ctx.db, flow.identity_id)
    const identifiers = identity ? identifiersOf(ctx, identity) : []
    if (!identity || identifiers.length === 0) throw new FormError(messages.noIdentifier)
    await checkPassword(ctx, password, identifiers)
    if (await isPresent(ctx, identity.id, password))
      throw new FormError(messages.passwordUnchanged, 'password')
    const config = {
      hashed_password: await ctx.hasher.hash(password, await turnOf(ctx, identity.id)),
    }
    const put = [{ type: 'password' as const, identifiers, config }]
    return { kind: 'done', flow, done: { method: 'password', change: { put } } }
  },
})

function identifiersOf(ctx: Context, { schema_id, traits }: StoredIdentity): readonly string[] {
  return deriveFromTraits(ctx.schemas.find(schema_id) ?? ctx.schemas.default, traits).identifiers.password
}

async function isPresent(ctx: Context, identity_id: string, password: string): Promise<boolean> {
  const present = (await listCredentials(ctx.db, identity_id)).find(({ type }) => type === 'password')
  const hash = present?.config.hashed_password
  if (typeof hash !== 'string') return false
  const attempt = { kind: 'password' as const, account: identity_id, identity_id }
  const same = await guess(ctx, attempt, async (turn) =>
    (await ctx.hasher.verify(password, hash, turn)) ? true : undefined,
  )
  return same === true
}
