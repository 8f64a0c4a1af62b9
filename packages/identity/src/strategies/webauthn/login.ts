import { readAssertion } from '../../authenticators/answers.ts'
import { type Key, keysOf } from '../../authenticators/keys.ts'
import type { Ceremony } from '../../authenticators/nodes.ts'
import { prove } from '../../authenticators/prove.ts'
import { type Context, type StepResult, type Submission, step } from '../../contract/contract.ts'
import { type Assertion, newChallenge } from '../../crypto/webauthn.ts'
import { FormError } from '../../errors/errors.ts'
import { hidesUnproven } from '../../identities/addresses/proof.ts'
import { readText } from '../../identities/schema/decode.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import { credentialOf, findTypedCredential } from '../../identities/subject.ts'
import { normaliseIdentifier } from '../../input/identifier.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { hasErrors } from '../../storage/flows/memo.ts'
import { type Credential, listCredentials } from '../../storage/identities/credentials.ts'
import { messages } from '../../ui/messages.ts'
import { input, submit } from '../../ui/nodes.ts'
import { identifierLabel } from '../../ui/trait-nodes.ts'
import type { UiNode } from '../../wire/node.ts'
import { loginNodes, ownCeremony, userVerification } from './nodes.ts'

type Input = { readonly identifier: string } | { readonly answer: string } | { readonly asks: 'again' }

export const login = step('login', {
  whenDisabled: { named: true, claimed: true, needs: () => 'identifier' },
  prepare(ctx, flow, { subject }) {
    if (flow.type === 'api') return flow
    const ownCredential = credentialOf(subject, 'webauthn')
    const keyCeremony = ownCredential && ceremonyFor(ctx, flow, ownCredential, ownCredential.identifiers[0])
    return keyCeremony ? ownCeremony.write(flow, keyCeremony) : flow
  },

  nodes(ctx, flow): readonly UiNode[] {
    const ceremony = ownCeremony.read(flow)
    if (!ceremony) return asksForIdentifier(ctx, flow) ? identifierFields(ctx, flow) : []
    const { identifier } = ceremony
    const alone = flow.memo.only === 'webauthn'
    const identifierNode = input('default', 'identifier', 'hidden', { value: identifier, required: alone })
    const label = alone ? messages.loginContinue : messages.loginSecurityKey
    return [...(identifier === undefined ? [] : [identifierNode]), ...loginNodes(ctx, flow, ceremony, label)]
  },

  // Kratos compatibility: nodes keep their build order; an error sorts them.
  arrange: (_ctx, { memo }, [identifier, ...others], csrf) =>
    identifier && memo.only === 'webauthn' && !hasErrors(memo) ? [identifier, csrf, ...others] : undefined,

  claims: (flow, values, ctx) =>
    flow.type === 'api' || isLeftToOthers(ctx, flow, values)
      ? 'never'
      : readText(values, 'webauthn_login') !== undefined,

  parse(ctx, flow, values): Input {
    const text = readText(values, 'webauthn_login')
    const identifier = readText(values, 'identifier')
    // Kratos compatibility: required even with a session.
    if (identifier === undefined) throw new FormError(messages.required('identifier'), 'identifier')
    if (ownCeremony.read(flow) && text !== undefined) return { answer: text }
    if (asksForIdentifier(ctx, flow)) {
      if (text === undefined) return { identifier }
      throw new FormError(messages.generic(NO_ANSWER))
    }
    // A re-authentication asks for the user's own keys.
    const isRefresh = flow.requested_aal === 'aal1'
    if (!ownCeremony.read(flow))
      throw new FormError(isRefresh ? messages.securityKeyUnknown : messages.noSecurityKey)
    if (isRefresh) return { asks: 'again' }
    throw new FormError(messages.generic(NO_ANSWER))
  },

  async submit(ctx, flow, response) {
    if ('asks' in response) return { kind: 'reload', flow }
    if ('identifier' in response) return await askKeys(ctx, flow, response.identifier)
    const ceremony = ownCeremony.read(flow)
    if (!ceremony) throw new FormError(messages.noSecurityKey)
    const { identity_id, countedAttempt, evidence } = await proveWith(
      ctx,
      flow,
      ceremony,
      readAssertion(response.answer),
    )
    return {
      kind: 'completed',
      flow: ownCeremony.write(flow, { ...ceremony, challenge: newChallenge() }),
      completion: { identity_id, method: 'webauthn', aal: flow.requested_aal, evidence },
      singleUse: true,
      countedAttempt,
    }
  },
})

const NO_ANSWER = 'Your security key did not respond. Please try again.'

/** Kratos compatibility: before a first factor of another kind, `identifier_first` reads the identifier. */
function isLeftToOthers({ config }: Context, flow: Flow, values: Submission['values']): boolean {
  const { enabled, config: webauthn } = config.selfservice.methods.webauthn
  const isSecondFactor = enabled && !webauthn.passwordless
  const isFirstStep = flow.requested_aal === 'aal1' && !flow.refresh
  return isSecondFactor && isFirstStep && readText(values, 'identifier') !== undefined
}

function asksForIdentifier(ctx: Context, { type, refresh, requested_aal }: Flow): boolean {
  const { passwordless } = ctx.config.selfservice.methods.webauthn.config
  return passwordless && type === 'browser' && !refresh && requested_aal === 'aal1'
}

function identifierFields(ctx: Context, flow: Flow): readonly UiNode[] {
  const label = identifierLabel(flowSchema(ctx.schemas, flow))
  const autocomplete = 'username webauthn'
  return [
    input('default', 'identifier', 'text', { value: '', required: true, autocomplete, label }),
    submit('webauthn', 'webauthn', messages.loginSecurityKey),
  ]
}

async function askKeys(ctx: Context, flow: Flow<'login'>, identifier: string): Promise<StepResult<'login'>> {
  const credential = await findTypedCredential(ctx.db, 'webauthn', identifier)
  const isHidden = credential && !credential.proven && hidesUnproven(ctx, flow, credential.identity_id)
  const credentials = credential && !isHidden && ceremonyFor(ctx, flow, credential, identifier)
  const { mitigate } = ctx.config.security.account_enumeration
  const shownCeremony = credentials || (mitigate ? pretendedCeremony(ctx, identifier) : undefined)
  if (!shownCeremony) throw new FormError(messages.securityKeyUnknown)
  const nextFlow = ownCeremony.write(flow, shownCeremony)
  const values = { ...flow.memo.values, identifier }
  const texts = [{ message: messages.securityKeyPrepare }]
  return {
    kind: 'reload',
    flow: { ...nextFlow, memo: { ...nextFlow.memo, only: 'webauthn', values, messages: texts } },
  }
}

function ceremonyFor(
  ctx: Context,
  flow: Flow<'login'>,
  credential: Credential,
  identifier: string | undefined,
): Ceremony | undefined {
  const keys = keysOf(credential).filter((key) => fits(ctx, flow, key))
  if (keys.length === 0) return undefined
  return {
    challenge: newChallenge(),
    allowed: keys.map(({ id }) => id),
    identity_id: credential.identity_id,
    ...(identifier === undefined ? {} : { identifier }),
  }
}

/** Always the same key for an identifier, as for an account with one (SEC-13). */
function pretendedCeremony(ctx: Context, identifier: string): Ceremony {
  const normalised = normaliseIdentifier('webauthn', identifier)
  const allowed = [ctx.secrets.mac('pretended security key', normalised)]
  return { challenge: newChallenge(), allowed, identifier }
}

function fits(ctx: Context, { requested_aal }: Flow, { is_passwordless }: Key): boolean {
  if (requested_aal === 'aal2') return !is_passwordless
  return is_passwordless && ctx.config.selfservice.methods.webauthn.config.passwordless
}

async function proveWith(
  ctx: Context,
  flow: Flow<'login'>,
  { challenge, identity_id, allowed }: Ceremony,
  answer: Assertion,
) {
  const ceremony = identity_id === undefined ? [] : await listCredentials(ctx.db, identity_id)
  const credential = ceremony.find(({ type }) => type === 'webauthn')
  const key = keysOf(credential).find(({ id }) => id === answer.id)
  const isAllowed = key && allowed?.includes(key.id)
  const { rp } = ctx.config.selfservice.methods.webauthn.config
  const user_verification = userVerification(ctx, flow.requested_aal === 'aal1') === 'required'
  return await prove(ctx, {
    method: 'webauthn',
    identity_id,
    ownKey: credential && isAllowed ? { credential, key } : undefined,
    answer,
    expected: { challenge, rp, user_verification },
  })
}
