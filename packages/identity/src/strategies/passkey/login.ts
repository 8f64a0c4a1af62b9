import { readAssertion } from '../../authenticators/answers.ts'
import { keysOf } from '../../authenticators/keys.ts'
import type { Ceremony } from '../../authenticators/nodes.ts'
import { prove } from '../../authenticators/prove.ts'
import { type Context, step } from '../../contract/contract.ts'
import { type Assertion, newChallenge } from '../../crypto/webauthn.ts'
import { FormError } from '../../errors/errors.ts'
import { hidesUnproven } from '../../identities/addresses/proof.ts'
import { namedAccount } from '../../identities/named-account.ts'
import { readText } from '../../identities/schema/decode.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import { credentialOf, type Subject } from '../../identities/subject.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { findCredential } from '../../storage/identities/credentials.ts'
import { messages } from '../../ui/messages.ts'
import { hidden, input } from '../../ui/nodes.ts'
import { identifierLabel } from '../../ui/trait-nodes.ts'
import type { UiNode } from '../../wire/node.ts'
import { displayNameOf, loginNodes, ownCeremony } from './nodes.ts'

export const login = step('login', {
  whenDisabled: { named: true, claimed: true },
  onFirstScreen: true,

  prepare(_ctx, flow, { subject }) {
    if (flow.requested_aal === 'aal2') return flow
    const newCeremony = flow.refresh ? askOwn(subject) : { challenge: newChallenge() }
    return newCeremony ? ownCeremony.write(flow, newCeremony) : flow
  },

  nodes(ctx, flow): readonly UiNode[] {
    const ceremony = ownCeremony.read(flow)
    if (!ceremony) return []
    const { style } = ctx.config.selfservice.flows.login
    const account = namedAccount(flow)
    if (style === 'unified' || flow.refresh || account) {
      const hasButton = account?.methods?.includes('passkey') ?? true
      return [...identifierNodes(ctx, flow, ceremony), ...loginNodes(ctx, flow, ceremony, hasButton)]
    }
    // Autofill suggests passkeys anyway.
    const hasButton = flow.memo.second_screen?.methods?.includes('passkey') === true
    return loginNodes(ctx, flow, ceremony, hasButton)
  },

  claims: (_flow, values) => readText(values, 'passkey_login') !== undefined,

  // Absent without the script.
  parse: (_ctx, _flow, values) => ({ answer: readText(values, 'passkey_login') }),

  async submit(ctx, flow, { answer }) {
    const ceremony = ownCeremony.read(flow)
    if (flow.requested_aal === 'aal2') throw new FormError(messages.noLoginMethod)
    if (answer === undefined) return { kind: 'reload', flow }
    const assertion = readAssertion(answer)
    // A re-authentication of a user without passkeys.
    if (!ceremony) throw new FormError(messages.securityKeyUnknown)
    const nextFlow = ownCeremony.write(flow, { ...ceremony, challenge: newChallenge() })
    try {
      const { identity_id, countedAttempt, evidence } = await proveWith(ctx, flow, ceremony, assertion)
      return {
        kind: 'completed',
        flow: nextFlow,
        completion: { identity_id, method: 'passkey', aal: 'aal1', evidence },
        singleUse: true,
        countedAttempt,
      }
    } catch (error) {
      // Consumes the challenge of an unverified account, because reuse would reveal it (SEC-13).
      if (!(error instanceof FormError) || !hidesUnproven(ctx, flow, undefined)) throw error
      return { kind: 'refused', flow: nextFlow, error }
    }
  },
})

function askOwn(subject: Subject | undefined): Ceremony | undefined {
  const keys = keysOf(credentialOf(subject, 'passkey'))
  if (!subject || keys.length === 0) return undefined
  const { schema, identity } = subject
  return {
    challenge: newChallenge(),
    allowed: keys.map(({ id }) => id),
    identity_id: identity.id,
    identifier: displayNameOf(schema, identity.traits),
  }
}

function identifierNodes(
  ctx: Context,
  flow: Flow<'login'>,
  { identity_id, identifier }: Ceremony,
): readonly UiNode[] {
  if (identity_id !== undefined) return [hidden('default', 'identifier', identifier)]
  const label = identifierLabel(flowSchema(ctx.schemas, flow))
  const autocomplete = 'username webauthn'
  return [input('default', 'identifier', 'text', { value: '', required: true, autocomplete, label })]
}

/** The handle only selects the account. */
async function proveWith(ctx: Context, flow: Flow<'login'>, ceremony: Ceremony, answer: Assertion) {
  const handle = answer.response.userHandle
  const credential = handle ? await findCredential(ctx.db, 'passkey', handle) : undefined
  // A key from Kratos may have any handle of its account.
  const key = keysOf(credential).find(
    ({ id, user_handle = handle }) => id === answer.id && user_handle === handle,
  )
  const isAllowed = key && (ceremony.allowed?.includes(key.id) ?? true)
  const { rp, authenticator_selection } = ctx.config.selfservice.methods.passkey.config
  const user_verification = authenticator_selection.user_verification === 'required'
  const claim = {
    method: 'passkey' as const,
    identity_id: credential?.identity_id,
    ownKey: credential && isAllowed ? { credential, key } : undefined,
    identifier: handle,
    answer,
    expected: { challenge: ceremony.challenge, rp, user_verification },
  }
  const refusal = credential ? messages.credentialWrong : messages.securityKeyUnknown
  const hides = hidesUnproven(ctx, flow, credential?.identity_id)
  return await prove(ctx, claim, hides ? messages.invalidCredentials : refusal)
}
