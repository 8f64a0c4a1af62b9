import type { Config } from './config.ts'
import type { WebHook } from './web-hook.ts'

/** The supported hooks. */
export type HookName =
  | 'session'
  | 'show_verification_ui'
  | 'require_verified_address'
  | 'revoke_active_sessions'
  | 'verification'
  | 'verify_new_address'
  | 'web_hook'

/** A configured hook; only web hooks have settings. */
export interface Hook {
  readonly hook: HookName
  readonly config?: WebHook | undefined
}

interface Configured {
  readonly config: Config
}

/** The kinds of flow whose hooks depend on the method. */
export type MethodKind = 'login' | 'registration' | 'settings'

/** The hooks after a flow in configured order. A list for the method replaces that of the flow. */
export function hooksAfter(ctx: Configured, kind: MethodKind, method: string): readonly Hook[] {
  const own = afterMethod(ctx, kind, method)?.hooks ?? []
  return own.length > 0 ? own : ctx.config.selfservice.flows[kind].after.hooks
}

/** The settings that apply after a flow with one method. */
export function afterMethod({ config }: Configured, kind: MethodKind, method: string) {
  // Methods that have no such settings give undefined.
  return config.selfservice.flows[kind].after[method as 'password']
}
