import type { Config } from './config.ts'
import type { WebHook } from './web-hook.ts'

export type HookName =
  | 'session'
  | 'show_verification_ui'
  | 'require_verified_address'
  | 'revoke_active_sessions'
  | 'verification'
  | 'verify_new_address'
  | 'web_hook'

export interface Hook {
  readonly hook: HookName
  readonly config?: WebHook | undefined
}

interface Configured {
  readonly config: Config
}

export type FlowWithMethods = 'login' | 'registration' | 'settings'

/** The method's list replaces that of the flow. */
export function hooksAfter(ctx: Configured, kind: FlowWithMethods, method: string): readonly Hook[] {
  const hooks = afterMethod(ctx, kind, method)?.hooks ?? []
  return hooks.length > 0 ? hooks : ctx.config.selfservice.flows[kind].after.hooks
}

export function afterMethod({ config }: Configured, kind: FlowWithMethods, method: string) {
  return config.selfservice.flows[kind].after[method as 'password']
}
