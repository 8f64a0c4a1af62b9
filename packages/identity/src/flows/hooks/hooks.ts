import type { FlowWithMethods, Hook, HookName } from '../../config/after-method.ts'
import { afterMethod, hooksAfter } from '../../config/after-method.ts'
import type { WebHook } from '../../config/web-hook.ts'
import type { Context } from '../../contract/contract.ts'
import { exchangeId } from '../../sessions/exchange.ts'
import { revokeAllSessions } from '../../sessions/revoke.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import type { CompletedStep } from '../form/decision.ts'

type Configured = Pick<Context, 'config'>

export function hasHook(ctx: Configured, kind: FlowWithMethods, method: string, name: HookName): boolean {
  return hooksAfter(ctx, kind, method).some(({ hook }) => hook === name)
}

/**
 * False if the `unproven` address must be verified first. Kratos compatibility: an app that waits for an exchange
 * code needs no hook.
 */
export function signsIn(
  ctx: Configured,
  { flow, completion: { method, provider } }: CompletedStep<'registration'>,
  unproven: object | undefined,
): boolean {
  const waits = unproven !== undefined && hasHook(ctx, 'registration', method, 'require_verified_address')
  const isExpected = provider !== undefined && exchangeId.read(flow) !== undefined
  return (isExpected || hasHook(ctx, 'registration', method, 'session')) && !waits
}

/** The general ones, unless the method has such hooks too: other hooks of a method must not disable a check. */
export function stoppingWebHooks(
  ctx: Configured,
  kind: 'registration' | 'settings',
  method: string,
): readonly WebHook[] {
  const ownHooks = webHooksOf(afterMethod(ctx, kind, method)?.hooks ?? []).filter(mayStop)
  return ownHooks.length > 0
    ? ownHooks
    : webHooksOf(ctx.config.selfservice.flows[kind].after.hooks).filter(mayStop)
}

export function followingWebHooks(
  ctx: Configured,
  kind: FlowWithMethods,
  method: string,
): readonly WebHook[] {
  return webHooksOf(hooksAfter(ctx, kind, method)).filter((hook) => !mayStop(hook))
}

export function webHooksOf(hooks: readonly Hook[]): readonly WebHook[] {
  return hooks.flatMap(({ hook, config }) => (hook === 'web_hook' && config ? [config] : []))
}

/** Nothing may be stored before the response of such a hook. */
export function mayStop({ can_interrupt, response }: WebHook): boolean {
  return can_interrupt || response.parse
}

/** Call inside `transact`. */
export async function revokeSessionsAfter(
  ctx: Context,
  kind: 'login' | 'settings',
  method: string,
  { session, identity }: SessionAndIdentity,
): Promise<void> {
  if (!hasHook(ctx, kind, method, 'revoke_active_sessions')) return
  await revokeAllSessions(ctx, identity.id, { except: session.id, keepsDevices: kind === 'login' })
}
