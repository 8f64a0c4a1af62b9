import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { maskCsrf } from '../../crypto/csrf.ts'
import { newId } from '../../crypto/random.ts'
import type { Flow } from '../../storage/flows/flows.ts'
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
    request_url: bounded(request.request_url),
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

const LONGEST_URL = 2048
/** The parameters that Kratos documents, the short ones first. */
const PARAMETERS = [
  ...[
    'flow',
    'aal',
    'refresh',
    'via',
    'identity_schema',
    'return_session_token_exchange_code',
    'organization',
  ],
  ...['login_challenge', 'login_hint', 'after_verification_return_to', 'return_to'],
]

/** Opening a flow costs a client nothing, so it must not fill the database (SEC-66). Kratos keeps any other parameter. */
function bounded(request_url: string): string {
  if (request_url.length <= LONGEST_URL) return request_url
  const { origin, pathname, searchParams } = new URL(request_url)
  const kept = new URLSearchParams()
  const url = () => `${origin}${pathname}?${kept}`
  for (const name of PARAMETERS) {
    const value = searchParams.get(name)
    if (value === null) continue
    kept.set(name, value)
    if (url().length > LONGEST_URL) kept.delete(name)
  }
  return url()
}
