import { type Context, type StepResult, step } from '../../contract/contract.ts'
import { FormError } from '../../errors/errors.ts'
import { accountLink, awaitedProof, namedAccount } from '../../identities/named-account.ts'
import { linkedProviders } from '../../identities/provider-accounts.ts'
import { decodeTraits, readText } from '../../identities/schema/decode.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import type { Subject } from '../../identities/subject.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { findIdentity } from '../../storage/identities/identities.ts'
import { messages } from '../../ui/messages.ts'
import { submit } from '../../ui/nodes.ts'
import type { UiNode } from '../../wire/node.ts'
import type { AuthorizedUser } from './authorization.ts'
import { authorizedBy, completeAuthorization, redirectToProvider } from './authorization.ts'
import { findAuthorized } from './id-token.ts'
import { namesProvider, readIntent } from './intent.ts'
import { mapClaims } from './mapper.ts'
import { allProviders } from './providers/all.ts'
import { labelOf, type ProviderConfig } from './providers/provider.ts'
import { evidenceOf, findRevealedUser } from './user.ts'

export const login = step('login', {
  whenDisabled: { claimed: true },
  onFirstScreen: true,

  nodes(ctx, flow, subject): readonly UiNode[] {
    if (flow.requested_aal === 'aal2') return []
    const isLinking = accountLink.read(flow) !== undefined
    return offeredProviders(ctx, flow, subject).map((one) => {
      const name = labelOf(one)
      const label = isLinking ? messages.loginAndLinkWith(name) : messages.loginWith(name, one.id)
      return submit('oidc', one.id, label, 'provider')
    })
  },

  // Kratos compatibility: without a provider, the identifier is asked for.
  claims: (flow, values) =>
    readText(values, 'provider') === undefined
      ? 'never'
      : flow.requested_aal === 'aal1' && namesProvider(values),

  parse(ctx, flow, values) {
    const provider = readText(values, 'provider')
    if (flow.requested_aal === 'aal2' || provider === undefined) throw new FormError(messages.noLoginMethod)
    // An unknown user registers with them.
    return readIntent(values, provider, decodeTraits(flowSchema(ctx.schemas, flow), values))
  },

  async submit(ctx, flow, intent, { caller }) {
    const authorized = await findAuthorized(ctx, intent, flow)
    if (authorized) return await signInOrRegister(ctx, flow, authorized)
    // A submission may wait for this browser to re-authenticate (SEC-85).
    const continuity_token = flow.refresh ? caller.continuity_tokens[0] : undefined
    return await redirectToProvider(ctx, { ...flow, active: 'oidc' }, intent, { continuity_token })
  },

  handleCallback: (ctx, flow, answer) =>
    completeAuthorization(ctx, flow, answer, (flow, authorized) => signInOrRegister(ctx, flow, authorized)),

  continueWith: (ctx, flow, proof) => signInOrRegister(ctx, flow, authorizedBy(ctx, proof)),
})

/** No registration during re-authentication. */
async function signInOrRegister(
  ctx: Context,
  flow: Flow<'login'>,
  authorized: AuthorizedUser,
): Promise<StepResult<'login'>> {
  // A proof that waits for this sign-in comes from its owner's email.
  const expectedId = flow.refresh ? flow.identity_id : awaitedProof.read(flow)?.identity_id
  const user = await findRevealedUser(ctx, authorized, expectedId)
  if (user) {
    const { identity_id } = user
    const { provider, claims, transient_payload } = authorized
    const identity =
      provider.update_identity_on_login === 'automatic' ? await findIdentity(ctx.db, identity_id) : undefined
    const completion = {
      ...(identity && {
        mapped: { ...(await mapClaims(ctx, provider, claims, identity)), seen: identity },
      }),
      identity_id,
      method: 'oidc',
      aal: 'aal1',
      provider: provider.id,
      evidence: evidenceOf(user, authorized),
      transient_payload,
    } as const
    return { kind: 'completed', flow, completion, singleUse: true, token: authorized.token }
  }
  if (flow.refresh) throw new FormError(messages.invalidCredentials)
  if (namedAccount(flow)) throw new FormError(messages.linkMismatch)
  return { kind: 'handoff', flow, into: 'registration', method: 'oidc', proof: authorized }
}

/** Only linked ones during re-authentication. */
function offeredProviders(
  ctx: Context,
  flow: Flow<'login'>,
  subject: Subject | undefined,
): readonly ProviderConfig[] {
  const account = namedAccount(flow)
  const providers = allProviders(ctx)
  if (account) {
    const linking = accountLink.read(flow)?.provider
    return providers.filter(({ id }) => id !== linking && (account.providers?.includes(id) ?? true))
  }
  const linked = flow.refresh ? linkedProviders(subject?.credentials ?? []) : flow.memo.linked_providers
  return linked ? providers.filter(({ id }) => linked.includes(id)) : providers
}
