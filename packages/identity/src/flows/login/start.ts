import type { Context } from '../../contract/contract.ts'
import { badRequest, FormError, ProtocolError } from '../../errors/errors.ts'
import { awaitedProof } from '../../identities/named-account.ts'
import { schemaOfIdentity } from '../../identities/schema/schema.ts'
import { deriveFromTraits } from '../../identities/schema/traits.ts'
import { parseBool } from '../../input/plain-text.ts'
import { findLiveSession } from '../../sessions/find.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import { messages } from '../../ui/messages.ts'
import type { Aal } from '../../wire/session.ts'
import type { UiText } from '../../wire/text.ts'
import { alreadySignedIn, ignoreIfSignedIn, selectedSchema } from '../form/admission.ts'
import type { FlowStages } from '../form/decision.ts'
import { EXCHANGE_PARAMETER, wantsExchange } from '../form/new-flow.ts'
import type { OAuth2Login } from '../form/oauth2-login.ts'
import { continueOAuth2Login, findOAuth2Login, oauth2Login, withReturn } from '../form/oauth2-login.ts'
import { sameAgain } from '../form/replacement.ts'
import { checkReturnTo } from '../form/return-to.ts'
import { isExpired } from '../form/stored.ts'

/** Without the stage that completes a login (`run/stages.ts`). */
export const loginStages: Omit<FlowStages<'login'>, 'complete'> = {
  kind: 'login',

  async start(ctx, parameters, caller, type) {
    const login = await findOAuth2Login(ctx, parameters, type)
    const rewritten = login && withOAuth2Login(ctx, parameters, login)
    const query = rewritten ?? parameters
    checkReturnTo(ctx, query.get('return_to'))
    const requested_aal = parseAal(query.get('aal'))
    if (requested_aal === 'aal1') selectedSchema(ctx, query.get('identity_schema') ?? undefined)
    const session = await findLiveSession(ctx, caller)
    const memo = oauth2Login.entry(login)
    if (session) {
      const refresh = isTrue(query, 'refresh')
      const upgrade = requested_aal === 'aal2' && session.session.aal === 'aal1'
      if (refresh || upgrade) {
        const fields = { refresh, requested_aal, memo, identity_id: session.identity.id }
        return { query: rewritten, fields, messages: reasonsOf(ctx, session.identity, { refresh, upgrade }) }
      }
      if (!login) return alreadySignedIn(ctx, query, caller, { kind: 'login', type })
      return { kind: 'elsewhere', url: await continueOAuth2Login(ctx, login, session), status: 303 }
    }
    if (requested_aal === 'aal2') throw aal1Required()
    const exchange = wantsExchange(type, isTrue(query, EXCHANGE_PARAMETER))
    return { query: rewritten, fields: { requested_aal, memo: { ...exchange, ...memo } } }
  },

  async admitSubmission(ctx, flow, caller) {
    const session = await findLiveSession(ctx, caller)
    if (!session) {
      if (flow.requested_aal === 'aal2') throw aal1Required()
      return undefined
    }
    if (awaitedProof.read(flow)) return undefined
    const upgrade = flow.requested_aal === 'aal2' && session.session.aal === 'aal1'
    // Expired refresh flows become plain logins, which signed-in users cannot use.
    if ((flow.refresh || upgrade) && !isExpired(ctx, flow)) return undefined
    if (flow.type === 'api' || caller.json)
      throw new FormError(messages.generic('You are already logged in.'))
    return { kind: 'elsewhere', url: ctx.config.selfservice.default_browser_return_url, status: 303 }
  },

  admitCallback: ignoreIfSignedIn,

  replace(ctx, flow, caller, why = { message: messages.loginFlowExpired(flow.expires_at) }) {
    return sameAgain(ctx, flow, why, caller, { fields: { memo: oauth2Login.copy(flow) } })
  },
}

interface Reasons {
  readonly refresh: boolean
  readonly upgrade: boolean
}

function reasonsOf(ctx: Context, identity: StoredIdentity, { refresh, upgrade }: Reasons): UiText[] {
  return [...(refresh ? [messages.loginRefresh] : []), ...(upgrade ? [secondStep(ctx, identity)] : [])]
}

/** Names the account, whatever the first step was. */
export function secondStep(ctx: Context, identity: StoredIdentity): UiText {
  const { identifiers } = deriveFromTraits(schemaOfIdentity(ctx.schemas, identity), identity.traits)
  return messages.loginAal2(Object.values(identifiers).flat()[0])
}

/** Asks again unless Hydra remembers the user. */
function withOAuth2Login(ctx: Context, parameters: URLSearchParams, login: OAuth2Login): URLSearchParams {
  const query = withReturn(ctx, parameters, login)
  if (!login.request.skip) query.set('refresh', 'true')
  query.sort()
  return query
}

function isTrue(query: URLSearchParams, name: string): boolean {
  return parseBool(query.get(name) ?? '') === true
}

function parseAal(value: string | null): Aal {
  const aal = (value ?? '').toLowerCase() || 'aal1'
  if (aal === 'aal1' || aal === 'aal2') return aal
  throw badRequest('The parameter aal must be aal1 or aal2.')
}

export function aal1Required(): ProtocolError {
  return new ProtocolError({
    id: 'session_aal1_required',
    status: 401,
    reason: 'Please log in first. A second factor can only follow the first.',
  })
}
