import type { Caller } from '../../caller.ts'
import type { Context } from '../../contract.ts'
import { maskCsrf } from '../../crypto/csrf.ts'
import { newId } from '../../crypto/random.ts'
import type { Flow } from '../../storage/flows.ts'
import type { FlowKind, FlowType } from '../../wire/flow.ts'
import type { FlowSpec, FlowStart } from './spec.ts'

/** What a flow takes from the request that opened it. */
export interface FlowRequest {
  readonly type: FlowType
  readonly request_url: string
  /** The CSRF secret of the browser that owns the flow; the caller's if absent. */
  readonly csrf_secret?: string | undefined
}

/** A new flow without a form. */
export function blankFlow<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  request: FlowRequest,
  start: FlowStart<K>,
  { csrf }: Caller,
): Flow<K> {
  const now = ctx.now()
  const issued_at = now.toISOString()
  const { searchParams } = new URL(request.request_url)
  const return_to = searchParams.get('return_to')
  const identity_schema = searchParams.get('identity_schema')
  const { memo, ...fields } = start.fields ?? {}
  return {
    id: newId(),
    kind: spec.kind,
    type: request.type,
    state: 'choose_method',
    issued_at,
    expires_at: new Date(now.getTime() + spec.lifespan(ctx)).toISOString(),
    created_at: issued_at,
    updated_at: issued_at,
    request_url: request.request_url,
    ...(return_to ? { return_to } : {}),
    ...(identity_schema ? { identity_schema } : {}),
    refresh: false,
    requested_aal: 'aal1',
    csrf_token: request.type === 'browser' ? maskCsrf(request.csrf_secret ?? csrf.secret) : '',
    ui: { action: '', method: 'POST', nodes: [] },
    memo: { ...memo, messages: (start.messages ?? []).map((message) => ({ message })) },
    version: 0,
    ...fields,
  }
}
