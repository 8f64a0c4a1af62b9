import * as oauth from 'oauth4webapi'
import { publicUrl, urlAt } from '../../config/base-url.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context, StepResult, SubmittedToken } from '../../contract/contract.ts'
import { hashToken, randomToken } from '../../crypto/random.ts'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import type { ProviderTokens } from '../../identities/provider-accounts.ts'
import { exchangeId } from '../../sessions/exchange.ts'
import { type Flow, updateFlow } from '../../storage/flows/flows.ts'
import { storedFlowField } from '../../storage/flows/memo.ts'
import { messages } from '../../ui/messages.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { Claims } from './claims.ts'
import { exchange, type Kept } from './exchange.ts'
import type { Intent } from './intent.ts'
import { getProvider, kindOf } from './providers/all.ts'
import { withOpenId } from './providers/openid.ts'
import { notOwnAuthorization, type ProviderConfig } from './providers/provider.ts'
import { loadRemote, type Remote } from './remote.ts'

type ProviderFlowKind = 'login' | 'registration' | 'settings'

interface State {
  readonly kind: ProviderFlowKind
  readonly flow_id: string
  readonly provider: string
  readonly random: string
}

interface Authorization extends Kept, Pick<Intent, 'provider' | 'traits' | 'transient_payload'> {
  /** Only this session may return (SEC-25). */
  readonly session_id?: string
  /** Milliseconds since 1970. */
  readonly until: number
}

export interface AuthorizedUser {
  readonly provider: ProviderConfig
  readonly claims: Claims
  readonly tokens: ProviderTokens
  readonly traits: JsonObject
  readonly transient_payload: JsonObject
  readonly session_id?: string
  /** The client sent it, instead of a code. */
  readonly token?: SubmittedToken | undefined
}

type Provided = Omit<AuthorizedUser, 'provider'> & { readonly provider: Pick<ProviderConfig, 'id'> }

/** Without the provider's secrets. */
export function proofOf({ provider: { id }, ...authorized }: AuthorizedUser): Provided {
  return { ...authorized, provider: { id } }
}

export function authorizedBy(ctx: Context, proof: object): AuthorizedUser {
  const provided = proof as Provided
  return { ...provided, provider: getProvider(ctx, provided.provider.id) }
}

/** Consumed once. */
const request = storedFlowField<{
  readonly browser_hash: string
  readonly state_hash: string
  readonly sealed?: string
}>('oidc')

const STATE = 'oidc state'
const PURPOSE = 'oidc authorization'
const LIFETIME_MS = 10 * 60_000

/** Uses PKCE and a nonce, bound to flow and browser (SEC-28, SEC-29). */
export async function redirectToProvider<K extends ProviderFlowKind>(
  ctx: Context,
  flow: Flow<K>,
  intent: Pick<Intent, 'provider' | 'traits' | 'transient_payload' | 'upstream'>,
  { session_id, continuity_token = randomToken() }: { session_id?: string; continuity_token?: string } = {},
): Promise<StepResult<K>> {
  const config = getProvider(ctx, intent.provider)
  const remote = await loadRemote(ctx, config)
  const begun = { ...newAuthorization(ctx, flow, config, intent), session_id }
  const authorization = { ...begun, ...(await requestSigned(remote, begun)) }
  const url = new URL(remote.server.authorization_endpoint ?? '')
  const parameters = await parametersOf(flow, config, authorization)
  for (const [name, value] of Object.entries({ ...intent.upstream, ...parameters }))
    url.searchParams.set(name, value)
  url.searchParams.sort()
  const nextFlow = request.write(flow, {
    browser_hash: hashToken(continuity_token),
    state_hash: hashToken(authorization.state),
    sealed: ctx.secrets.encrypt(PURPOSE, JSON.stringify(authorization)),
  })
  return { kind: 'redirect', flow: nextFlow, url: url.toString(), continuity_token }
}

function newAuthorization<K extends ProviderFlowKind>(
  ctx: Context,
  flow: Flow<K>,
  config: ProviderConfig,
  { provider, traits, transient_payload }: Pick<Intent, 'provider' | 'traits' | 'transient_payload'>,
): Authorization {
  const kind = kindOf(config)
  const now = ctx.now().getTime()
  const state: State = {
    kind: flow.kind as ProviderFlowKind,
    flow_id: flow.id,
    provider,
    random: randomToken(22),
  }
  return {
    provider,
    traits,
    transient_payload,
    state: ctx.secrets.encrypt(STATE, JSON.stringify(state)),
    redirect_uri: redirectUri(ctx, config),
    ...(config.pkce === 'never' || kind.ignoresPkce ? {} : { verifier: oauth.generateRandomCodeVerifier() }),
    ...(kind.issuer && !kind.ignoresNonce ? { nonce: oauth.generateRandomNonce() } : {}),
    ...(flow.refresh && kind.issuer ? { renewed_since: now } : {}),
    until: now + LIFETIME_MS,
  }
}

/** Unique per provider (RFC 9700, 4.4). `pkce: force` shares one, as in Ory Kratos. */
function redirectUri(ctx: Context, config: ProviderConfig): string {
  const { id, pkce } = config
  const { base_redirect_uri } = ctx.config.selfservice.methods.oidc.config
  const isShared = pkce === 'force' || (pkce === 'auto' && kindOf(config).sharesCallback)
  const path = `/self-service/methods/oidc/callback${isShared ? '' : `/${id}`}`
  return base_redirect_uri === undefined ? publicUrl(ctx, path) : urlAt(base_redirect_uri, path)
}

/** The token keeps the redirect URL, so the authorization request names nothing else. */
async function requestSigned(remote: Remote, { redirect_uri, state }: Authorization) {
  const { signed } = kindOf(remote.config)
  if (!signed) return {}
  const callback = `${redirect_uri}?${new URLSearchParams({ state })}`
  return { requested: await signed.requestToken(remote, callback) }
}

async function parametersOf(
  flow: Flow,
  config: ProviderConfig,
  { state, redirect_uri, verifier, nonce, requested }: Authorization,
): Promise<Record<string, string>> {
  const kind = kindOf(config)
  const { requested_claims } = config
  const refresh = flow.refresh === true
  const parameters = kind.parameters?.(config, refresh)
  if (requested) return { ...parameters, oauth_token: requested.oauth_token }
  const scope = kind.scope?.(config) ?? (kind.issuer ? withOpenId(config) : config.scope)
  return {
    ...parameters,
    ...(kind.issuer && requested_claims ? { claims: JSON.stringify(requested_claims) } : {}),
    ...(refresh && kind.issuer ? { prompt: 'login', max_age: '0' } : {}),
    client_id: config.client_id,
    response_type: 'code',
    redirect_uri,
    state,
    ...(scope.length === 0 ? {} : { scope: scope.join(' ') }),
    ...(nonce === undefined ? {} : { nonce }),
    ...(verifier === undefined
      ? {}
      : { code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }),
  }
}

/** Throws `ProtocolError` 400 if the state is forged or belongs to another provider. */
export function parseState(ctx: Context, answer: URLSearchParams, provider: string | undefined): State {
  if (!ctx.config.selfservice.methods.oidc.enabled) {
    throw new ProtocolError({
      status: 404,
      reason: 'Logging in with a provider is disabled on this site.',
    })
  }
  // Undefined if forged, or encrypted with a removed secret.
  const state = ctx.secrets.openJson(STATE, answer.get('state') ?? '') as State | undefined
  if (!state || (provider !== undefined && provider !== state.provider)) throw notOwnAuthorization()
  return state
}

/** Throws `ProtocolError` 400 unless the redirected browser returns. Exchange codes bind native apps. */
export function assertOwnAuthorization(flow: Flow, answer: URLSearchParams, caller: Caller): void {
  const sentRequest = request.read(flow)
  const last = sentRequest?.state_hash === hashToken(answer.get('state') ?? '')
  const bound = flow.type === 'api' && exchangeId.read(flow) !== undefined
  const isOwnBrowser = caller.continuity_tokens.some((one) => hashToken(one) === sentRequest?.browser_hash)
  if (!last || !(bound || isOwnBrowser)) throw notOwnAuthorization()
}

/** `refused` is the form for errors. Only one of several responses continues (SEC-27). */
export async function completeAuthorization<K extends ProviderFlowKind>(
  ctx: Context,
  previousFlow: Flow<K>,
  answer: URLSearchParams,
  onUser: (flow: Flow<K>, authorized: AuthorizedUser) => Promise<StepResult<K>>,
  onRefusal: (flow: Flow<K>, provider: string) => Flow<K> = (flow) => flow,
): Promise<StepResult<K>> {
  const { authorization, flow } = await consumeAuthorization(ctx, previousFlow)
  try {
    const config = getProvider(ctx, authorization.provider)
    if (authorization.until <= ctx.now().getTime()) throw new FormError(messages.generic(TOO_LATE))
    const exchanged = await exchange(await loadRemote(ctx, config), answer, authorization)
    const { traits, transient_payload, session_id } = authorization
    return await onUser(flow, { provider: config, ...exchanged, traits, transient_payload, session_id })
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    return { kind: 'refused', flow: onRefusal(flow, authorization.provider), error }
  }
}

const TOO_LATE = 'The login took too long. Please try again.'

async function consumeAuthorization<K extends FlowKind>(
  ctx: Context,
  flow: Flow<K>,
): Promise<{ authorization: Authorization; flow: Flow<K> }> {
  const { sealed, ...rest } = request.read(flow) ?? { browser_hash: '', state_hash: '' }
  if (sealed === undefined) throw notOwnAuthorization()
  const updated_at = ctx.now().toISOString()
  const consumed = await updateFlow(ctx.db, { ...request.write(flow, rest), updated_at })
  if (!consumed) throw notOwnAuthorization()
  return { authorization: JSON.parse(ctx.secrets.decrypt(PURPOSE, sealed)) as Authorization, flow: consumed }
}
