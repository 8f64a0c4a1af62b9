import type { Flow } from '../../storage/flows/flows.ts'

/** The flow as its owner sees it, without the memo and without secrets. */
export function publicFlow(flow: Flow): Record<string, unknown> {
  const { id, type, expires_at, issued_at, request_url, return_to, ui, state } = flow
  const active = flow.memo.unclaimed && hasFixedMethod(flow) ? 'default' : flow.active
  const common = {
    id,
    type,
    expires_at,
    issued_at,
    request_url,
    ...(return_to === undefined ? {} : { return_to }),
    ...(active === undefined ? {} : { active }),
    ui: ui.nodes?.length === 0 ? { ...ui, nodes: null } : ui,
    state,
  }
  const schema = flow.identity_schema === undefined ? {} : { identity_schema: flow.identity_schema }
  if (flow.kind === 'registration') return { ...common, organization_id: null, ...schema }
  if (flow.kind !== 'login') return common
  const { created_at, updated_at, refresh, requested_aal } = flow
  return { ...common, organization_id: null, created_at, updated_at, refresh, requested_aal, ...schema }
}

/** Kratos compatibility: a recovery or verification names no method after a submission without one. */
function hasFixedMethod({ kind }: Flow): boolean {
  return kind === 'recovery' || kind === 'verification'
}
