import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import type { Done } from '../../contract/done.ts'
import type { AccountUpdate } from '../../identities/update.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import { followingWebHooks, stoppingWebHooks } from '../hooks/hooks.ts'
import { callAll, changedByHooks, runBefore } from '../hooks/web-hooks.ts'

interface Changing {
  readonly done: Done['settings']
  readonly caller: Caller
}

export async function changeAfterHooks(
  ctx: Context,
  flow: Flow<'settings'>,
  { session, identity: before }: SessionAndIdentity,
  { done, caller }: Changing,
): Promise<AccountUpdate> {
  const { change, method, transient_payload } = done
  const hooks = stoppingWebHooks(ctx, 'settings', method)
  if (hooks.length === 0) return change
  const identity = { ...before, ...(change.traits ? { traits: change.traits } : {}) }
  const event = { flow, caller, identity, session: { session, identity: before }, transient_payload }
  const changed = await changedByHooks(ctx, hooks, event)
  if (!changed) return change
  const { schema_id, state, metadata_public, metadata_admin, external_id, traits, addresses } = changed
  const proofs = addresses
    .filter(({ purpose }) => purpose === 'verification')
    .map(({ value, verified_at }) => ({ value, verified: verified_at !== undefined }))
  const account = { schema_id, state, metadata_public, metadata_admin, external_id }
  return { ...change, traits, account, proofs }
}

interface SavedSettings {
  readonly flow: Flow<'settings'>
  readonly next: Flow<'settings'>
  readonly identity: StoredIdentity
  readonly session: SessionAndIdentity
}

/** Calls the new form's hooks first. */
export async function tellOfSettings(
  ctx: Context,
  { flow, next, identity, session }: SavedSettings,
  { done, caller }: Changing,
): Promise<void> {
  await runBefore(ctx, { flow: next, session, caller })
  const hooks = followingWebHooks(ctx, 'settings', done.method)
  await callAll(ctx, hooks, { flow, identity, session, caller, transient_payload: done.transient_payload })
}
