import type { Caller } from '../../caller.ts'
import { pageUrl } from '../../config/base-url.ts'
import type { Context } from '../../contract.ts'
import type { Notice } from '../../courier/notices.ts'
import { NOTICED_CREDENTIALS } from '../../courier/notices.ts'
import { queueMail } from '../../courier/queue.ts'
import { findKnownDevice } from '../../devices/known-device.ts'
import type { Updated } from '../../identities/update.ts'
import { within } from '../../limits/limits.ts'
import type { Credential } from '../../storage/credentials.ts'
import type { Address, StoredIdentity } from '../../storage/identities.ts'
import { registeredHere } from './take-over.ts'

/**
 * Notifies a user about changed credentials at every email address verified before the change, so that an attacker
 * cannot hide it by changing the address. Call inside `transact`.
 */
export async function notify(ctx: Context, { addresses }: StoredIdentity, notice: Notice): Promise<void> {
  if (!ctx.config.security.notices.enabled) return
  const data = {
    notice,
    url: pageUrl(ctx, 'settings'),
    at: ctx.now().toISOString(),
  }
  for (const { purpose, via, value, verified_at } of addresses) {
    if (purpose !== 'verification' || via !== 'email' || verified_at === undefined) continue
    // Limited separately from codes: repeated changes by a user must not exhaust those.
    if (!(await within(ctx, { kind: 'notice', account: value, follows: true }))) continue
    await queueMail(ctx, { template_type: 'security_notice', recipient: value, data })
  }
}

/** Notifies about every changed credential and every removed address. Call inside `transact`. */
export async function notifyOfChange(
  ctx: Context,
  identity: StoredIdentity,
  { identity: changed, credentials_before, credentials }: Updated,
): Promise<void> {
  if (!ctx.config.security.notices.enabled) return
  const isKept = ({ id }: Address) => changed.addresses.some((one) => one.id === id)
  if (!identity.addresses.every(isKept)) await notify(ctx, identity, 'address')
  for (const type of NOTICED_CREDENTIALS) {
    const [old, now] = [credentials_before, credentials].map((list) => list.find((one) => one.type === type))
    if (old?.version === now?.version && (old === undefined) === (now === undefined)) continue
    const difference = sizeOf(now) - sizeOf(old)
    await notify(
      ctx,
      identity,
      `${type}_${difference > 0 ? 'added' : difference < 0 ? 'removed' : 'changed'}`,
    )
  }
}

/** The number of keys or connected accounts in a credential. */
function sizeOf(credential: Credential | undefined): number {
  if (!credential) return 0
  const { credentials, providers } = credential.config
  const held = credentials ?? providers
  return Array.isArray(held) ? held.length : 1
}

/** Notifies about a sign-in from an unknown browser or app, except for a session that is continued. */
export async function notifyOfDevice(
  ctx: Context,
  identity: StoredIdentity,
  { continues, caller }: { readonly continues: boolean; readonly caller: Caller },
): Promise<void> {
  if (continues || !ctx.config.security.notices.enabled) return
  if ((await findKnownDevice(ctx, caller, identity.id)) !== undefined) return
  if (!(await registeredHere(ctx, identity.id, caller))) await notify(ctx, identity, 'new_device')
}
