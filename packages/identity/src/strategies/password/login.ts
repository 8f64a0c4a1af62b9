import { type Context, step } from '../../contract/contract.ts'
import { type FieldMessage, FormError, WrongProof } from '../../errors/errors.ts'
import { readText } from '../../identities/schema/decode.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import { credentialOf, findTypedCredential } from '../../identities/subject.ts'
import { normaliseIdentifier } from '../../input/identifier.ts'
import type { CountedTurn } from '../../limits/limits.ts'
import { compareCounted, hashRequestFor, passwordBudgets, refundOnFailure } from '../../limits/limits.ts'
import { storedFlowField } from '../../storage/flows/memo.ts'
import { type Credential, updateCredentialConfig } from '../../storage/identities/credentials.ts'
import { messages } from '../../ui/messages.ts'
import { hidden, input, submit } from '../../ui/nodes.ts'
import { identifierLabel } from '../../ui/trait-nodes.ts'
import type { UiNode } from '../../wire/node.ts'
import { isFormerPassword } from './migrate-hook.ts'

const required = storedFlowField<{ readonly identifier?: string }>('password')

export const login = step('login', {
  whenDisabled: { named: true },

  prepare(_ctx, flow, { subject }) {
    if (!flow.refresh || !subject) return flow
    const identifier = credentialOf(subject, 'password')?.identifiers[0]
    return required.write(flow, identifier === undefined ? {} : { identifier })
  },

  nodes(ctx, flow): readonly UiNode[] {
    if (flow.requested_aal === 'aal2') return []
    const field = passwordField('current-password')
    if (flow.refresh) {
      const identifier = required.read(flow)?.identifier
      if (identifier === undefined) return []
      return [
        hidden('default', 'identifier', identifier),
        field,
        submit('password', 'password', messages.login),
      ]
    }
    const label = identifierLabel(flowSchema(ctx.schemas, flow))
    const identifier = input('default', 'identifier', 'text', { value: '', required: true, label })
    return [identifier, field, submit('password', 'password', messages.loginPassword)]
  },

  claims: ({ requested_aal }) => (requested_aal === 'aal2' ? 'never' : false),

  parse(_ctx, _flow, values) {
    const identifier = readText(values, 'identifier') ?? readText(values, 'password_identifier')
    const password = readText(values, 'password')
    const errors: FieldMessage[] = []
    if (identifier === undefined)
      errors.push({ message: messages.required('identifier'), field: 'identifier' })
    if (password === undefined) errors.push({ message: messages.required('password'), field: 'password' })
    if (identifier === undefined || password === undefined) throw new FormError(errors)
    return { identifier, password }
  },

  async submit(ctx, flow, { identifier, password }) {
    const normalized = normaliseIdentifier('password', identifier)
    const credential = await findTypedCredential(ctx.db, 'password', identifier)
    const identity_id = credential?.identity_id
    // Treats an unverified account, which may be an attacker's, as none (SEC-13).
    const account = passwordBudgets([normalized], credential?.proven ? identity_id : undefined)
    const attempt = { kind: 'password' as const, account, identity_id }
    const right = await compareCounted(ctx, attempt, async (turn) =>
      (await matchesHash(ctx, credential, password, turn)) ? credential : undefined,
    )
    if (!right) throw new WrongProof('password', identity_id, messages.invalidCredentials)
    const { match: provenCredential, countedAttempt } = right
    await refundOnFailure(ctx, countedAttempt, () => rehashIfWeak(ctx, provenCredential, password))
    const completion = {
      identity_id: provenCredential.identity_id,
      method: 'password' as const,
      aal: 'aal1' as const,
      evidence: {
        kind: 'credential' as const,
        credential: provenCredential,
        identifier: provenCredential.identifiers[0],
        refusal: messages.invalidCredentials,
      },
    }
    return { kind: 'completed', flow, completion, countedAttempt }
  },
})

export function passwordField(autocomplete: 'current-password' | 'new-password'): UiNode {
  const label = messages.inputPassword
  return input('password', 'password', 'password', { required: true, autocomplete, label })
}

/** Also hashes for unknown accounts, so that timing does not reveal them (SEC-14). */
async function matchesHash(
  ctx: Context,
  credential: Credential | undefined,
  password: string,
  turn: CountedTurn,
): Promise<boolean> {
  const hash = credential?.config.hashed_password
  if (typeof hash === 'string') return await ctx.hasher.verify(password, hash, turn)
  const usesHook = credential?.config.use_password_migration_hook === true
  return await ctx.hasher.verifyDummy(
    password,
    turn,
    usesHook ? () => isFormerPassword(ctx, credential, password) : undefined,
  )
}

/** Rehashes now, while the password is known. */
async function rehashIfWeak(ctx: Context, credential: Credential, password: string): Promise<void> {
  if (!ctx.hasher.needsRehash(String(credential.config.hashed_password), password)) return
  const turn = await hashRequestFor(ctx, credential.identity_id)
  const config = { hashed_password: await ctx.hasher.hash(password, turn) }
  await updateCredentialConfig(ctx.db, credential, config, ctx.now().toISOString())
}
