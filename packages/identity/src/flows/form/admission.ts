import { isForLaterKratos } from '../../config/version.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { badRequest, FormError, ProtocolError } from '../../errors/errors.ts'
import { recordRefusal } from '../../events/record.ts'
import type { IdentitySchema } from '../../identities/schema/schema.ts'
import { findLiveSession } from '../../sessions/find.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import { messages } from '../../ui/messages.ts'
import type { FlowKind, FlowType } from '../../wire/flow.ts'
import type { Redirect } from './decision.ts'
import { returnUrl, returnUrlOr } from './return-to.ts'

const DISABLED = {
  registration: { id: 'self_service_flow_disabled', reason: 'Registration is disabled.' },
  recovery: {
    reason: 'Account recovery is disabled.',
    kratos_reason: 'Recovery is not allowed because it was disabled.',
  },
  verification: {
    reason: 'Address verification is disabled.',
    kratos_reason: 'Verification is not allowed because it was disabled.',
  },
} as const

/** Throws 400. Login and settings cannot be disabled. */
export function assertFlowEnabled({ config }: Pick<Context, 'config'>, kind: FlowKind): void {
  if (kind === 'login' || kind === 'settings' || config.selfservice.flows[kind].enabled) return
  throw new ProtocolError({ status: 400, ...DISABLED[kind] })
}

export function alreadySignedIn(
  ctx: Context,
  query: URLSearchParams,
  caller: Caller,
  { kind, type }: { readonly kind: FlowKind; readonly type: FlowType },
): Redirect {
  if (caller.accepts_json || type === 'api') throw sessionAlreadyAvailable(kind)
  return { kind: 'elsewhere', url: returnUrlOr(ctx, query.get('return_to')), status: 303 }
}

const FORGOTTEN = ' Did you forget to set `?refresh=true`?'

export function sessionAlreadyAvailable(kind: FlowKind): ProtocolError {
  return new ProtocolError({
    id: 'session_already_available',
    status: 400,
    reason: 'You are already logged in.',
    kratos_reason: `A valid session was detected and thus ${kind} is not possible.${kind === 'login' ? FORGOTTEN : ''}`,
  })
}

/** A session from another tab stays; the provider's response is ignored. */
export async function ignoreIfSignedIn(
  ctx: Context,
  flow: Flow<'login' | 'registration'>,
  caller: Caller,
  method: string,
): Promise<Redirect | undefined> {
  const session = await findLiveSession(ctx, caller)
  if (!session || flow.refresh) return undefined
  return { kind: 'elsewhere', url: returnUrl(ctx, flow, flow.kind, method), status: 303 }
}

/** Throws 400 unless the schema exists and is `selfservice_selectable`. */
export function selectedSchema(ctx: Pick<Context, 'config' | 'schemas'>, schemaId?: string): IdentitySchema {
  const { default_schema_id, schemas } = ctx.config.identity
  const id = schemaId || default_schema_id
  const entry = schemas.find((one) => one.id === id)
  const schema = ctx.schemas.find(id)
  const allowed = id === default_schema_id || entry?.selfservice_selectable === true
  if (!schema || !allowed) {
    throw badRequest('This identity schema does not exist or cannot be selected.')
  }
  return schema
}

/**
 * Throws 401, or 400 as Kratos does after v26.2.0: in a recovery, which gives its `csrf` secret, as
 * `identity_disabled`, and otherwise as `FormError`.
 */
export function assertActive(ctx: Context, identity: StoredIdentity, method: string, csrf?: string): void {
  if (identity.state === 'active') return
  recordRefusal(ctx, { event: 'sign_in', identity_id: identity.id, method, detail: 'inactive' })
  const isLater = isForLaterKratos(ctx.config)
  if (isLater && csrf === undefined) throw new FormError(messages.accountDisabled)
  throw new ProtocolError({
    ...(isLater ? { status: 400, id: 'identity_disabled' } : { status: 401 }),
    reason: 'This account is disabled. Contact support.',
    details: { identity_id: identity.id },
    csrf,
  })
}

type Use = Context['config']['selfservice']['flows']['recovery']['use']

/** Throws 400. */
export function assertMethodEnabled({ config }: Pick<Context, 'config'>, method: Use): void {
  if (config.selfservice.methods[method].enabled) return
  throw badRequest('The method of this flow is disabled. Contact support.')
}
