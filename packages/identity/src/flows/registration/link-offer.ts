import { pageUrl } from '../../config/base-url.ts'
import type { LinkOffer } from '../../contract/completion.ts'
import type { Context } from '../../contract/contract.ts'
import { FormError } from '../../errors/errors.ts'
import { findOtherOwner } from '../../identities/addresses/address-owner.ts'
import { firstFactors } from '../../identities/factors.ts'
import { type AccountLink, accountLink, LINK_OFFER } from '../../identities/named-account.ts'
import { linkedProviders } from '../../identities/provider-accounts.ts'
import { deriveFromTraits } from '../../identities/schema/traits.ts'
import { findIdentityId } from '../../identities/subject.ts'
import { normaliseAddress } from '../../input/identifier.ts'
import { exchangeId } from '../../sessions/exchange.ts'
import { listCredentials } from '../../storage/identities/credentials.ts'
import { messages } from '../../ui/messages.ts'
import type { ProofMethod } from '../../wire/session.ts'
import type { UiText } from '../../wire/text.ts'
import { selectedSchema } from '../form/admission.ts'
import type { CompletedStep, OpenFlow } from '../form/decision.ts'
import { oauth2Login } from '../form/oauth2-login.ts'
import { screenUrl } from '../form/urls.ts'

interface RejectedRegistration extends CompletedStep<'registration'> {
  readonly error: FormError
  readonly hides: boolean
}

/**
 * The owner of a taken address may sign in to link the provider. Binds the offer to account, browser and form
 * (SEC-24, SEC-25). Undefined if the account must stay hidden (SEC-13).
 */
export async function leadToLinking(
  ctx: Context,
  rejected: RejectedRegistration,
): Promise<OpenFlow<'login'> | undefined> {
  const { flow, completion, caller } = rejected
  const { offer } = completion
  const owner = offer && (await findOwner(ctx, rejected))
  if (!offer || !owner) return undefined
  // Nothing binds an app's form to its user, whom a deep link may lead to an attacker's form (SEC-120).
  const needsProof = rejected.hides || flow.type === 'api'
  if (needsProof && normaliseAddress(owner.identifier) !== offer.email) return undefined
  const link = await linkOf(ctx, owner, completion.method, offer)
  const { type, request_url, return_to } = flow
  const memo = { ...accountLink.entry(link), ...exchangeId.copy(flow), ...oauth2Login.copy(flow) }
  return {
    kind: 'open',
    into: 'login',
    request: { type, request_url },
    start: {
      fields: { active: link.method, memo, ...(return_to && { return_to }) },
      messages: [invitation(ctx, link, offer.label)],
    },
    outcomeOf(next) {
      const url = new URL(screenUrl(ctx, 'login', next.id))
      url.searchParams.set('no_org_ui', 'true')
      if (type === 'browser' && !caller.json) return { kind: 'elsewhere', url: url.toString(), status: 303 }
      const { transient_payload } = completion
      return { kind: 'form', flow: next, status: 400, members: { transient_payload } }
    },
  }
}

/** Undefined if the address is free, or the account that has it would lose it. */
export async function leadTaken(
  ctx: Context,
  step: CompletedStep<'registration'>,
): Promise<OpenFlow<'login'> | undefined> {
  const { completion } = step
  const rejected = { ...step, error: new FormError(messages.duplicateIdentifier), hides: false }
  const owner = await findOwner(ctx, rejected)
  if (!owner) return undefined
  const address = normaliseAddress(owner.identifier)
  const isProven = completion.verified?.includes(address) ?? false
  if (isProven && !(await findOtherOwner(ctx, { identity_id: '', address }))) return undefined
  const hides = ctx.config.security.account_enumeration.mitigate && address !== completion.offer?.email
  return await leadToLinking(ctx, { ...rejected, hides })
}

function invitation(ctx: Context, link: AccountLink, provider: string): UiText {
  return messages.loginToLink({
    duplicate_identifier: link.identifier,
    provider,
    new_login_url: pageUrl(ctx, 'login'),
    available_credential_types: link.hints ?? [],
    available_providers: link.providers ?? [],
  })
}

/** `login_hints` adds the existing account's sign-in methods. */
export async function withHints(ctx: Context, rejected: RejectedRegistration): Promise<FormError> {
  const { login_hints } = ctx.config.selfservice.flows.registration
  const owner = login_hints ? await findOwner(ctx, rejected) : undefined
  if (!owner) return rejected.error
  const { types, providers } = await hintsOf(ctx, owner)
  return new FormError(
    messages.duplicateIdentifierHints({
      available_credential_types: types,
      available_oidc_providers: providers,
      credential_identifier_hint: owner.identifier,
    }),
  )
}

interface Owner {
  readonly identity_id: string
  readonly identifier: string
}

async function findOwner(ctx: Context, { flow, completion, error }: RejectedRegistration) {
  if (!error.entries.some(({ message }) => message.id === messages.duplicateIdentifier.id)) return undefined
  const schema = selectedSchema(ctx, flow.identity_schema)
  const { identifiers, verifiable, recovery } = deriveFromTraits(schema, completion.traits)
  const values = [
    ...Object.values(identifiers).flat(),
    ...[...verifiable, ...recovery].map(({ value }) => value),
  ]
  for (const identifier of values) {
    const identity_id = await findIdentityId(ctx, identifier)
    if (identity_id !== undefined) return { identity_id, identifier }
  }
  return undefined
}

async function linkOf(ctx: Context, owner: Owner, method: ProofMethod, { provider, entry }: LinkOffer) {
  const link = { ...owner, method, provider, offer: ctx.secrets.encrypt(LINK_OFFER, JSON.stringify(entry)) }
  if (!ctx.config.selfservice.flows.registration.login_hints) return link
  const { own: hints, types, providers } = await hintsOf(ctx, owner)
  return { ...link, methods: firstFactors(ctx, hints), hints: types, providers }
}

async function hintsOf(ctx: Context, { identity_id }: Owner) {
  const credentials = await listCredentials(ctx.db, identity_id)
  return {
    own: credentials,
    types: credentials.map(({ type }) => type).toSorted(),
    providers: linkedProviders(credentials).toSorted(),
  }
}
