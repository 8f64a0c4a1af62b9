import type { WebHook } from '../../config/web-hook.ts'
import type { Context } from '../../contract.ts'
import type { FlowKind } from '../../wire/flow.ts'

/** The hooks this service knows. */
export type HookName =
  | 'session'
  | 'show_verification_ui'
  | 'require_verified_address'
  | 'revoke_active_sessions'
  | 'verification'
  | 'verify_new_address'
  | 'web_hook'

/** A hook of the configuration; a web hook has settings. */
export interface Hook {
  readonly hook: HookName
  readonly config?: WebHook | undefined
}

type Configured = Pick<Context, 'config'>
type MethodKind = 'login' | 'registration' | 'settings'

/**
 * The hooks after a flow, in the order of the configuration. A list for the method replaces the list for the flow.
 */
export function hooksAfter(ctx: Configured, kind: MethodKind, method: string): readonly Hook[] {
  const own = ownHooksAfter(ctx, kind, method)
  return own.length > 0 ? own : ctx.config.selfservice.flows[kind].after.hooks
}

/** Whether a hook runs after a flow by this method. */
export function hasHook(ctx: Configured, kind: MethodKind, method: string, name: HookName): boolean {
  return hooksAfter(ctx, kind, method).some(({ hook }) => hook === name)
}

/**
 * Whether a registration signs in at once. A provider may vouch for an address or not: who has an `unproven` one may
 * have to prove it first, as at a sign-in.
 */
export function signsIn(ctx: Configured, method: string, unproven: object | undefined): boolean {
  const waits = unproven !== undefined && hasHook(ctx, 'registration', method, 'require_verified_address')
  return hasHook(ctx, 'registration', method, 'session') && !waits
}

/** The web hooks before a flow of a kind. */
export function webHooksBefore({ config }: Configured, kind: FlowKind): readonly WebHook[] {
  return webHooksOf(config.selfservice.flows[kind].before.hooks)
}

/** Kratos compatibility: hooks that may stop something are those of the method only. */
export function stoppingWebHooks(ctx: Configured, kind: MethodKind, method: string): readonly WebHook[] {
  return webHooksOf(ownHooksAfter(ctx, kind, method)).filter(mayStop)
}

/** Web hooks that are told of what has happened. */
export function followingWebHooks(ctx: Configured, kind: MethodKind, method: string): readonly WebHook[] {
  return webHooksOf(hooksAfter(ctx, kind, method)).filter((hook) => !mayStop(hook))
}

/** Web hooks among others. */
export function webHooksOf(hooks: readonly Hook[]): readonly WebHook[] {
  return hooks.flatMap(({ hook, config }) => (hook === 'web_hook' && config ? [config] : []))
}

/** It reads the answer, so what it stops or changes must not be stored yet. */
export function mayStop({ can_interrupt, response }: WebHook): boolean {
  return can_interrupt || response.parse
}

function ownHooksAfter({ config }: Configured, kind: MethodKind, method: string): readonly Hook[] {
  return config.selfservice.flows[kind].after[method as 'password']?.hooks ?? []
}
