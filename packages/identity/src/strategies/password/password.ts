import { type Context, type Strategy, step } from '../../contract/contract.ts'
import { FormError } from '../../errors/errors.ts'
import { checkText, decodeTraits, readText } from '../../identities/schema/decode.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import { deriveFromTraits, registeredTargets } from '../../identities/schema/traits.ts'
import { credentialOf, type Subject } from '../../identities/subject.ts'
import {
  compareCounted,
  countAttempt,
  hashRequestFor,
  passwordBudgets,
  refund,
  refundOnFailure,
} from '../../limits/limits.ts'
import type { NewCredential } from '../../storage/identities/credentials.ts'
import { messages } from '../../ui/messages.ts'
import { submit } from '../../ui/nodes.ts'
import { traitNodes } from '../../ui/trait-nodes.ts'
import { login, passwordField } from './login.ts'
import { checkPassword } from './policy.ts'

const registration = step('registration', {
  whenDisabled: { named: true },

  nodes(ctx, flow) {
    return [
      ...traitNodes(flowSchema(ctx.schemas, flow)),
      passwordField('new-password'),
      submit('password', 'password', messages.registrationSubmit),
    ]
  },

  parse(ctx, flow, values) {
    const schema = flowSchema(ctx.schemas, flow)
    const traits = decodeTraits(schema, values)
    const password = readText(values, 'password')
    const wrong = [...schema.validate(traits), ...checkText(values, 'password')]
    if (wrong.length > 0 || password === undefined) throw new FormError(wrong)
    return { traits, password }
  },

  async submit(ctx, flow, { traits, password }) {
    const schema = flowSchema(ctx.schemas, flow)
    const identifiers = deriveFromTraits(schema, traits).identifiers.password
    if (identifiers.length === 0) throw new FormError(messages.noIdentifier)
    // A rejection costs no breach look-up or hash. Free and taken addresses both count (SEC-13).
    const countedAttempt = await countAttempt(ctx, {
      kind: 'registration',
      account: registeredTargets(schema, traits),
    })
    const hashed_password = await refundOnFailure(ctx, countedAttempt, async () => {
      await checkPassword(ctx, password, identifiers)
      return await ctx.hasher.hash(password, await hashRequestFor(ctx))
    })
    const credentials: NewCredential[] = [{ type: 'password', identifiers, config: { hashed_password } }]
    const completion = { traits, method: 'password' as const, credentials, countedAttempt }
    return { kind: 'completed', flow, completion }
  },
})

const settings = step('settings', {
  whenDisabled: { named: true },
  nodes: () => [passwordField('new-password'), submit('password', 'password', messages.saveLabel)],

  parse(_ctx, _flow, values) {
    const password = readText(values, 'password')
    const wrong = checkText(values, 'password')
    if (wrong.length > 0 || password === undefined) throw new FormError(wrong)
    return { password }
  },

  privileged: () => true,

  async submit(ctx, flow, { password }, { subject }) {
    const traits = subject?.identity.traits
    const identifiers = traits ? deriveFromTraits(subject.schema, traits).identifiers.password : []
    if (!subject || identifiers.length === 0) throw new FormError(messages.noIdentifier)
    const countedAttempt = await countAttempt(ctx, { kind: 'flow' })
    const hashed_password = await refundOnFailure(ctx, countedAttempt, async () => {
      await checkPassword(ctx, password, identifiers)
      if (await isPresent(ctx, subject, password)) throw new FormError(messages.passwordUnchanged, 'password')
      return await ctx.hasher.hash(password, await hashRequestFor(ctx, subject.identity.id))
    })
    const credentials = [{ type: 'password' as const, identifiers, config: { hashed_password } }]
    // Kratos compatibility: web hooks get no payload.
    return {
      kind: 'completed',
      flow,
      completion: { method: 'password', change: { put: credentials }, countedAttempt, transient_payload: {} },
    }
  },
})

async function isPresent(ctx: Context, subject: Subject, password: string): Promise<boolean> {
  const identity_id = subject.identity.id
  const credential = credentialOf(subject, 'password')
  const hash = credential?.config.hashed_password
  if (typeof hash !== 'string') return false
  const account = passwordBudgets(credential?.identifiers ?? [], identity_id)
  const attempt = { kind: 'password' as const, account, identity_id }
  const right = await compareCounted(ctx, attempt, async (turn) =>
    (await ctx.hasher.verify(password, hash, turn)) ? true : undefined,
  )
  if (right) await refund(ctx, right.countedAttempt)
  return right !== undefined
}

export const password: Strategy = {
  id: 'password',
  group: 'password',
  admin: {
    // Kratos compatibility: an empty hash.
    contents: (_ctx, { config }) =>
      config.use_password_migration_hook ? { hashed_password: '', ...config } : config,
    remove: () => ({ remove: ['password'] }),
    keepsLast: true,
    listedEmpty: true,
  },
  registersUnproven: true,
  enabled: (config) => config.selfservice.methods.password.enabled,
  steps: { login, registration, settings },
  factors: () => ['aal1'],
}
