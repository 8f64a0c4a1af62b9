import { pageUrl, publicUrl } from '../../config/base-url.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import type { Done, LinkOffer } from '../../contract/done.ts'
import { FormError } from '../../errors/errors.ts'
import { firstFactors } from '../../identities/factors.ts'
import type { AccountLink } from '../../identities/provider-accounts.ts'
import { accountLink, linkedProviders, withProvider } from '../../identities/provider-accounts.ts'
import { deriveFromTraits, normaliseAddress } from '../../identities/schema/traits.ts'
import { findIdentityId } from '../../identities/subject.ts'
import { updateIdentity } from '../../identities/update.ts'
import { exchangeId } from '../../sessions/exchange.ts'
import type { IssuedSession } from '../../sessions/issue.ts'
import { continueSession } from '../../sessions/issue.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { listCredentials } from '../../storage/identities/credentials.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import { messages } from '../../ui/messages.ts'
import type { ProofMethod } from '../../wire/session.ts'
import { selectedSchema } from '../form/selected-schema.ts'
import type { FlowSpec, Outcome } from '../form/spec.ts'
import { screenUrl } from '../form/urls.ts'
import { notifyOfChange } from '../ownership/notify-owner.ts'
import { openAfter } from '../run/open.ts'

const PURPOSE = 'link offer'

/** A registration that conflicts with an account. */
interface Refused {
  readonly flow: Flow<'registration'>
  readonly done: Done['registration']
  readonly error: FormError
  /** Only the owner may learn that the address is taken. */
  readonly hides: boolean
}

/**
 * The provider's email address belongs to an account: the user signs in to it first, and that form carries the offer to
 * link. Bound to the account, the browser and the form (SEC-24, SEC-25). Undefined if there is no offer, no account has
 * the address, or this must not be revealed (SEC-13).
 */
export async function leadToLinking(
  ctx: Context,
  login: FlowSpec<'login'>,
  refused: Refused,
  caller: Caller,
): Promise<Outcome | undefined> {
  const { flow, done } = refused
  const { offer } = done
  const owner = offer && (await findOwner(ctx, refused))
  if (!offer || !owner) return undefined
  if (refused.hides && normaliseAddress(owner.identifier) !== offer.email) return undefined
  const next = await openLinking(
    ctx,
    login,
    flow,
    { link: await linkOf(ctx, owner, done.method, offer), label: offer.label },
    caller,
  )
  const url = new URL(screenUrl(ctx, 'login', next.id))
  url.searchParams.set('no_org_ui', 'true')
  if (flow.type === 'browser' && !caller.json) return { kind: 'elsewhere', url: url.toString(), status: 303 }
  return { kind: 'form', flow: next, status: 400, shown: { transient_payload: done.transient_payload } }
}

/** With `login_hints` the error names the sign-in methods of the existing account. */
export async function withHints(ctx: Context, refused: Refused): Promise<FormError> {
  const { login_hints } = ctx.config.selfservice.flows.registration
  const owner = login_hints ? await findOwner(ctx, refused) : undefined
  if (!owner) return refused.error
  const { types, providers } = await hintsOf(ctx, owner)
  return new FormError(
    messages.duplicateIdentifierHints({
      available_credential_types: types,
      available_oidc_providers: providers,
      credential_identifier_hint: owner.identifier,
    }),
  )
}

/** Throws `FormError` if the user signed in to another account than the one with the address. */
export function assertLinked(flow: Flow<'login'>, identity: StoredIdentity): void {
  const link = accountLink.read(flow)
  if (link && link.identity_id !== identity.id) throw new FormError(messages.linkMismatch)
}

/**
 * Links the offered provider account to the session's account, and records the method in the session. Call inside
 * `transact`.
 */
export async function addLinked(
  ctx: Context,
  link: AccountLink,
  issued: IssuedSession,
): Promise<IssuedSession> {
  const entry = JSON.parse(ctx.secrets.decrypt(PURPOSE, link.offer)) as LinkOffer['entry']
  const own = await listCredentials(ctx.db, issued.identity.id)
  const updated = await updateIdentity(ctx, issued.identity.id, withProvider(own, entry))
  await notifyOfChange(ctx, issued.identity, updated)
  const proof = { method: link.method, aal: 'aal1' as const, provider: link.provider }
  return await continueSession(ctx, { ...issued, identity: updated.identity }, proof, issued.token)
}

/** If the account requires a second factor, that form carries the offer on, and it is linked afterwards. */
export async function openLinkingStep(
  ctx: Context,
  login: FlowSpec<'login'>,
  flow: Flow<'login'>,
  { identity, csrf_secret }: { readonly identity: StoredIdentity; readonly csrf_secret: string | undefined },
  caller: Caller,
): Promise<Flow<'login'>> {
  const memo = accountLink.entry(accountLink.read(flow))
  const fields = { requested_aal: 'aal2' as const, identity_id: identity.id, memo }
  const request_url = publicUrl(ctx, `/self-service/login/${flow.type}?aal=aal2`)
  const start = { fields, messages: [messages.loginAal2] }
  return await openAfter(ctx, login, flow, start, caller, { request_url, csrf_secret })
}

interface Owner {
  readonly identity_id: string
  readonly identifier: string
}

/** Undefined if the registration failed for another reason than a taken identifier. */
async function findOwner(ctx: Context, { flow, done, error }: Refused): Promise<Owner | undefined> {
  if (!error.entries.some(({ message }) => message.id === messages.duplicateIdentifier.id)) return undefined
  const schema = selectedSchema(ctx, flow.identity_schema)
  const { identifiers, verifiable, recovery } = deriveFromTraits(schema, done.traits)
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

async function linkOf(
  ctx: Context,
  owner: Owner,
  method: ProofMethod,
  { provider, entry }: LinkOffer,
): Promise<AccountLink> {
  const link = { ...owner, method, provider, offer: ctx.secrets.encrypt(PURPOSE, JSON.stringify(entry)) }
  if (!ctx.config.selfservice.flows.registration.login_hints) return link
  const { own, types, providers } = await hintsOf(ctx, owner)
  return { ...link, methods: firstFactors(ctx, own), hints: types, providers }
}

async function hintsOf(ctx: Context, { identity_id }: Owner) {
  const own = await listCredentials(ctx.db, identity_id)
  return {
    own,
    types: own.map(({ type }) => type).toSorted(),
    providers: linkedProviders(own).toSorted(),
  }
}

/** The form in which the owner signs in, on one screen or two. */
async function openLinking(
  ctx: Context,
  login: FlowSpec<'login'>,
  flow: Flow<'registration'>,
  { link, label }: { readonly link: AccountLink; readonly label: string },
  caller: Caller,
): Promise<Flow<'login'>> {
  const message = messages.loginToLink({
    duplicate_identifier: link.identifier,
    provider: label,
    new_login_url: pageUrl(ctx, 'login'),
    available_credential_types: link.hints ?? [],
    available_providers: link.providers ?? [],
  })
  const memo = { ...accountLink.entry(link), ...exchangeId.entry(exchangeId.read(flow)) }
  const start = { fields: { active: link.method, memo }, messages: [message] }
  return await openAfter(ctx, login, flow, start, caller)
}
