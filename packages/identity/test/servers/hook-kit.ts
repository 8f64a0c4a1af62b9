import type { IdentityDependencies } from '../../src/index.ts'
import type { FlowKind } from '../../src/wire/wire.ts'
import { createTestIdentity, merge, type TestIdentity } from '../kit/kit.ts'
import { type HookAnswer, type HookReceiver, startHookReceiver } from './hook-receiver.ts'

/** Not stored yet. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000'

type Hook = { readonly path: string; readonly [key: string]: unknown } | { readonly hook: string }

type Hooks = { readonly [place: string]: readonly Hook[] }

/** In one kind of flow. Web hooks send their whole context by default. */
export async function hooked(
  kind: FlowKind,
  { before = [], any = [], ...methods }: Hooks,
  overrides: { readonly [name: string]: unknown } = {},
  parts: Partial<IdentityDependencies> = {},
): Promise<{ readonly identity: TestIdentity; readonly receiver: HookReceiver }> {
  const receiver = await startHookReceiver()
  const listOf = (hooks: readonly Hook[]) => ({ hooks: hooks.map((hook) => configured(receiver, hook)) })
  const after = Object.entries(methods).map(([method, hooks]) => [method, listOf(hooks)])
  const flow = { before: listOf(before), after: { ...listOf(any), ...Object.fromEntries(after) } }
  const config = merge({ selfservice: { flows: { [kind]: flow } } }, overrides)
  const identity = await createTestIdentity(config, parts)
  return { identity, receiver }
}

export function refusal(instance_ptr: string, id = 4711): HookAnswer {
  const messages = [{ id, text: 'Not with us.', type: 'error' }]
  return { status: 400, body: { messages: [{ instance_ptr, messages }] } }
}

export function changed(identity: object): HookAnswer {
  return { body: { identity } }
}

export function configured({ url }: HookReceiver, hook: Hook): object {
  if (!('path' in hook)) return hook
  const { path, ...config } = hook
  const body = ({ ctx }: { readonly ctx: object }) => ctx
  return { hook: 'web_hook', config: { url: url + path, method: 'POST', body, ...config } }
}
