import type { WebHook } from '../../config/web-hook.ts'
import type { Context } from '../../contract/contract.ts'
import { FormError } from '../../errors/errors.ts'
import type { IdentitySchema } from '../../identities/schema/schema.ts'
import { findLiveSession } from '../../sessions/find.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import { messages } from '../../ui/messages.ts'
import { webHooksBefore } from './hooks.ts'
import { callWebHook, until } from './web-hook.ts'
import type { IdentityPatch } from './web-hook-answer.ts'
import type { HookEvent } from './web-hook-request.ts'

export async function runBefore(ctx: Context, event: HookEvent): Promise<void> {
  const hooks = webHooksBefore(ctx, event.flow.kind)
  if (hooks.length === 0) return
  const opener = event.flow.kind === 'settings' ? await findLiveSession(ctx, event.caller) : undefined
  await callAll(ctx, hooks, { session: opener, ...event })
}

/** Stops at the first failure or rejection. */
export async function callAll(ctx: Context, hooks: readonly WebHook[], event: HookEvent): Promise<void> {
  for (const hook of hooks) await callWebHook(ctx, hook, event)
}

export function callAllAside(ctx: Context, hooks: readonly WebHook[], event: HookEvent): void {
  if (hooks.length > 0) ctx.background.run('web hooks', (signal) => callAll(until(ctx, signal), hooks, event))
}

/** Each hook sees the previous changes. Undefined without changes. Throws `FormError` for invalid traits. */
export async function changedByHooks(
  ctx: Context,
  hooks: readonly WebHook[],
  event: HookEvent & { readonly identity: StoredIdentity },
): Promise<StoredIdentity | undefined> {
  let { identity } = event
  for (const hook of hooks) {
    const patch = await callWebHook(ctx, hook, { ...event, identity })
    if (patch) identity = patched(identity, patch, ctx.now().toISOString())
  }
  if (identity === event.identity) return undefined
  const wrong = schemaNamed(ctx, identity).validate(identity.traits)
  if (wrong.length > 0) throw new FormError(wrong)
  return identity
}

/** Throws `FormError` if a hook named an unknown schema. */
export function schemaNamed(ctx: Context, { schema_id }: Pick<StoredIdentity, 'schema_id'>): IdentitySchema {
  const schema = ctx.schemas.find(schema_id)
  if (schema) return schema
  throw new FormError(messages.generic('This account cannot be created this way. Please try again later.'))
}

function patched(identity: StoredIdentity, patch: IdentityPatch, now: string): StoredIdentity {
  const { verifiable_addresses, external_id, schema_id, ...rest } = patch
  const { external_id: before, ...kept } = identity
  const name = external_id === undefined ? before : (external_id ?? undefined)
  return {
    ...kept,
    ...(rest as Partial<StoredIdentity>),
    ...(schema_id ? { schema_id } : {}),
    ...(name ? { external_id: name } : {}),
    addresses: verifiable_addresses ? proven(identity, verifiable_addresses, now) : identity.addresses,
  }
}

function proven(
  { addresses }: StoredIdentity,
  said: NonNullable<IdentityPatch['verifiable_addresses']>,
  now: string,
): StoredIdentity['addresses'] {
  return addresses.map((address) => {
    const own = address.purpose === 'verification' && said.find(({ value }) => value === address.value)
    if (!own || own.verified === (address.verified_at !== undefined)) return address
    const { verified_at: _, ...unproven } = address
    return own.verified
      ? { ...address, status: 'completed', verified_at: now }
      : { ...unproven, status: 'pending' }
  })
}
