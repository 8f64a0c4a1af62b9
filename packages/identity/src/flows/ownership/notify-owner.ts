import { reviewUrl } from '../../config/base-url.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { queueNotice } from '../../courier/queue-notice.ts'
import { NOTICED_CREDENTIALS, type Notice } from '../../courier/templates/notice-texts.ts'
import { addressOf } from '../../devices/device-address.ts'
import { deviceName } from '../../devices/device-name.ts'
import { findKnownDevice } from '../../devices/known-device.ts'
import { ownersEmails } from '../../identities/addresses/proof.ts'
import type { Updated } from '../../identities/update.ts'
import type { Credential } from '../../storage/identities/credentials.ts'
import type { Address, StoredIdentity } from '../../storage/identities/identities.ts'
import { findDevicesForgotten } from '../../storage/identities/identities.ts'
import { registeredHere } from './take-over.ts'

/**
 * Includes every owner's address before the change, so that an attacker cannot hide it. Call inside
 * `transact`.
 */
export async function notifyOwner(
  ctx: Context,
  identity: StoredIdentity,
  notice: Notice,
  provider?: string,
): Promise<void> {
  if (!ctx.config.security.notices.enabled) return
  const url = reviewUrl(ctx)
  const device = ctx.request && deviceName(ctx.request.device.user_agent).name
  const ip_address = addressOf(ctx.request?.client_address)
  const data = { notice, url, at: ctx.now().toISOString(), device, ip_address, provider }
  for (const { value } of ownersEmails(identity)) {
    const order = { template_type: 'security_notice', recipient: value, data } as const
    await queueNotice(ctx, { notice, identity_id: identity.id, url }, order)
  }
}

/** Call inside `transact`. */
export async function notifyOfChange(
  ctx: Context,
  identity: StoredIdentity,
  { identity: changed, credentials_before, credentials }: Updated,
): Promise<void> {
  if (!ctx.config.security.notices.enabled) return
  const isIn =
    ({ addresses }: StoredIdentity) =>
    ({ id }: Address) =>
      addresses.some((one) => one.id === id)
  if (!identity.addresses.every(isIn(changed))) await notifyOwner(ctx, identity, 'address')
  else if (!changed.addresses.every(isIn(identity))) await notifyOwner(ctx, identity, 'address_added')
  for (const type of NOTICED_CREDENTIALS) {
    const [old, now] = [credentials_before, credentials].map((list) => list.find((one) => one.type === type))
    if (old?.version === now?.version && (old === undefined) === (now === undefined)) continue
    const difference = sizeOf(now) - sizeOf(old)
    await notifyOwner(
      ctx,
      identity,
      `${type}_${difference > 0 ? 'added' : difference < 0 ? 'removed' : 'changed'}`,
    )
  }
}

function sizeOf(credential: Credential | undefined): number {
  if (!credential) return 0
  const { credentials, providers } = credential.config
  const credentialChange = credentials ?? providers
  return Array.isArray(credentialChange) ? credentialChange.length : 1
}

interface SignIn {
  readonly isContinuation: boolean
  readonly caller: Caller
  readonly provider: string | undefined
}

/** Skips continued sessions. */
export async function notifyOfDevice(
  ctx: Context,
  identity: StoredIdentity,
  { isContinuation, caller, provider }: SignIn,
): Promise<void> {
  if (isContinuation || !ctx.config.security.notices.enabled) return
  if ((await findKnownDevice(ctx, caller, identity.id)) !== undefined) return
  // Forgetting the devices includes the registering browser (SEC-84).
  const isKnown =
    (await registeredHere(ctx, identity.id, caller)) &&
    (await findDevicesForgotten(ctx.db, identity.id)) === 0
  if (isKnown) return
  const { providers } = ctx.config.selfservice.methods.oidc.config
  const label = providers.find(({ id }) => id === provider)?.label ?? provider
  await notifyOwner(ctx, identity, 'new_device', label)
}
