import type { Context } from '../../contract.ts'

/** The hooks this service knows; `web_hook` joins with its own file. */
export type HookName =
  | 'session'
  | 'show_verification_ui'
  | 'require_verified_address'
  | 'revoke_active_sessions'
  | 'verification'

/**
 * The names of the hooks after a flow, in the order of the configuration. A list for the method replaces the list
 * for the flow (protocol 3, 5.6).
 */
function hooksAfter(
  ctx: Pick<Context, 'config'>,
  kind: 'login' | 'registration' | 'settings',
  method: string,
): ReadonlySet<string> {
  const { after } = ctx.config.selfservice.flows[kind]
  const own = after[method as 'password']?.hooks ?? []
  const hooks = own.length > 0 ? own : after.hooks
  return new Set(hooks.map(({ hook }) => hook))
}

/** Whether a hook runs after a flow by this method. */
export function hasHook(
  ctx: Pick<Context, 'config'>,
  kind: 'login' | 'registration' | 'settings',
  method: string,
  name: HookName,
): boolean {
  return hooksAfter(ctx, kind, method).has(name)
}
