import type { MappedClaims } from '../../contract/completion.ts'
import { type Context, type StepResult, step } from '../../contract/contract.ts'
import { FormError } from '../../errors/errors.ts'
import { addProviders } from '../../identities/provider-accounts.ts'
import { decodeTraits, readText } from '../../identities/schema/decode.ts'
import { flowSchema, type IdentitySchema } from '../../identities/schema/schema.ts'
import type { MarkedTrait } from '../../identities/schema/schema-walk.ts'
import { textsAt, traitAt, withTrait } from '../../identities/schema/trait-at.ts'
import { traitValues, unknownTraits } from '../../identities/schema/traits.ts'
import { normaliseAddress } from '../../input/identifier.ts'
import { merge } from '../../input/json.ts'
import { exchangeId } from '../../sessions/exchange.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { storedFlowField } from '../../storage/flows/memo.ts'
import { messages } from '../../ui/messages.ts'
import { submit } from '../../ui/nodes.ts'
import { traitNodes } from '../../ui/trait-nodes.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { UiNode } from '../../wire/node.ts'
import type { AuthorizedUser } from './authorization.ts'
import { authorizedBy, completeAuthorization, proofOf, redirectToProvider } from './authorization.ts'
import { findAuthorized } from './id-token.ts'
import { namesProvider, readIntent } from './intent.ts'
import { mapClaims } from './mapper.ts'
import { allProviders } from './providers/all.ts'
import { labelOf } from './providers/provider.ts'
import { entryOf, findRevealedUser, offerOf } from './user.ts'

const continued = storedFlowField<{ readonly provider: string; readonly known: boolean }>('goes_on_with')

export const registration = step('registration', {
  whenDisabled: { claimed: true },
  onFirstScreen: true,

  nodes(ctx, flow): readonly UiNode[] {
    const on = continued.read(flow)
    if (on) {
      const button = submit('oidc', on.provider, messages.registrationContinue, 'provider')
      const group = ctx.config.feature_flags.legacy_oidc_registration_node_group ? 'oidc' : 'default'
      return on.known ? [button, ...traitNodes(flowSchema(ctx.schemas, flow), group)] : [button]
    }
    const buttons = allProviders(ctx).map((one) =>
      submit('oidc', one.id, messages.registrationWith(labelOf(one), one.id), 'provider'),
    )
    return [...traitNodes(flowSchema(ctx.schemas, flow)), ...buttons]
  },

  claims: (_flow, values) => namesProvider(values),

  parse(ctx, flow, values) {
    const schema = flowSchema(ctx.schemas, flow)
    const traits = decodeTraits(schema, values)
    const provider = readText(values, 'provider')
    if (provider !== undefined) return readIntent(values, provider, traits)
    // Kratos compatibility: without a provider, the form also shows the other errors.
    const wrong = schema.validate(traits)
    throw wrong.length > 0 ? new FormError(wrong) : new FormError(messages.noRegistrationMethod)
  },

  async submit(ctx, flow, intent) {
    const authorized = await findAuthorized(ctx, intent)
    if (authorized) return await registerOrSignIn(ctx, flow, authorized)
    return await redirectToProvider(ctx, flow, intent)
  },

  handleCallback: (ctx, flow, answer) =>
    completeAuthorization(
      ctx,
      flow,
      answer,
      (flow, authorized) => registerOrSignIn(ctx, flow, authorized),
      stayWith,
    ),

  continueWith: (ctx, flow, proof) => registerOrSignIn(ctx, flow, authorizedBy(ctx, proof)),
})

async function registerOrSignIn(
  ctx: Context,
  flow: Flow<'registration'>,
  authorized: AuthorizedUser,
): Promise<StepResult<'registration'>> {
  if (await findRevealedUser(ctx, authorized)) {
    return { kind: 'handoff', flow, into: 'login', method: 'oidc', proof: authorized }
  }
  const { provider, claims, transient_payload } = authorized
  const mapped = await mapClaims(ctx, provider, claims)
  const schema = flowSchema(ctx.schemas, flow)
  const merged = merge(mapped.traits, authorized.traits)
  // A browser's form and the provider's response belong to the same user (SEC-28).
  const traits = flow.type === 'api' ? keepVerified(schema, mapped, merged) : merged
  // Perhaps another user opened the app's form, and reads it (SEC-98).
  const shownTraits = exchangeId.read(flow) === undefined ? traits : authorized.traits
  // Kratos compatibility: a trait outside the schema gets a field.
  const values = { ...traitValues(schema, shownTraits), ...unknownTraits(schema, shownTraits) }
  const next = stayWith(flow, provider.id, true)
  const nextFlow = { ...next, active: 'oidc', memo: { ...next.memo, values } }
  const wrong = schema.validate(traits)
  if (wrong.length > 0) return { kind: 'refused', flow: nextFlow, error: new FormError(wrong) }
  const completion = {
    ...mapped,
    traits,
    transient_payload,
    method: 'oidc' as const,
    provider: provider.id,
    credentials: [addProviders(undefined, [entryOf(ctx, authorized)])],
    offer: offerOf(ctx, authorized),
  }
  const { token } = authorized
  return { kind: 'completed', flow: nextFlow, completion, singleUse: true, token, proof: proofOf(authorized) }
}

/** The account belongs to the owner of the verified address, not to the sender of an app's form (SEC-99). */
function keepVerified(
  schema: IdentitySchema,
  { traits: mappedTraits, verified = [] }: MappedClaims,
  traits: JsonObject,
): JsonObject {
  const isVerified = ({ steps }: MarkedTrait) =>
    textsAt({ traits: mappedTraits }, steps).some((text) => verified.includes(normaliseAddress(text)))
  return schema.markedTraits.filter(isVerified).reduce((keptTraits, { steps }) => {
    const list = steps.indexOf('*')
    const path = list < 0 ? steps : steps.slice(0, list)
    return withTrait(keptTraits, path, traitAt(mappedTraits, path))
  }, traits)
}

/** Kratos compatibility: after an error, the form continues with this provider only. */
function stayWith(
  flow: Flow<'registration'>,
  provider: string,
  isKnown = continued.read(flow)?.known ?? false,
): Flow<'registration'> {
  const { second_screen: _, messages: __, ...memo } = flow.memo
  return { ...flow, memo: { ...memo, only: 'oidc', ...continued.entry({ provider, known: isKnown }) } }
}
