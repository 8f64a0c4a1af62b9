import type { Caller, Context, Done } from '../../contract.ts'
import { transact } from '../../contract.ts'
import { queueMail } from '../../courier/queue.ts'
import { newId } from '../../crypto/random.ts'
import { deriveFromTraits } from '../../identities/traits.ts'
import type { Flow } from '../../storage/flows.ts'
import { insertFlow } from '../../storage/flows.ts'
import type { Address, StoredIdentity } from '../../storage/identities.ts'
import { findAddress } from '../../storage/identities.ts'
import { begin } from '../engine.ts'
import { render } from '../render.ts'
import { schemaOf } from '../schema-of.ts'
import { verification } from '../verification.ts'
import type { StartedVerification } from './verify-address.ts'

interface Registering {
  readonly done: Done['registration']
  readonly caller: Caller
  readonly csrf: string
}

/**
 * The answer to somebody who registers with an address that has an account: the same as for a new one, with an
 * invented identity and a form whose code never comes. The owner of the address learns of it by mail. A named
 * difference; where `security.account_enumeration.mitigate` is off, the protocol's 4000007 stands.
 */
export async function pretendRegistration(
  ctx: Context,
  flow: Flow<'registration'>,
  { done, caller, csrf }: Registering,
): Promise<{ identity: StoredIdentity; verification: StartedVerification | undefined }> {
  const identity = inventedIdentity(ctx, flow, done)
  const address = identity.addresses.find(({ purpose }) => purpose === 'verification')
  if (!address || !ctx.config.selfservice.flows.verification.enabled)
    return { identity, verification: undefined }
  const active = ctx.config.selfservice.flows.verification.use
  const request = { type: flow.type, request_url: flow.request_url, csrf_secret: csrf }
  const opened = await begin(ctx, verification, request, { fields: { active } }, caller)
  const memo = { ...opened.memo, code: { address: address.value } }
  const sent = await render(ctx, verification, { ...opened, state: 'sent_email', memo })
  await transact(ctx, async (ctx) => {
    await insertFlow(ctx.db, sent)
    await tellOwner(ctx, address)
  })
  return { identity, verification: { flow: sent, address } }
}

function inventedIdentity(
  ctx: Context,
  flow: Flow<'registration'>,
  done: Done['registration'],
): StoredIdentity {
  const now = ctx.now().toISOString()
  const schema = schemaOf(ctx, flow.identity_schema)
  const { verifiable, recovery } = deriveFromTraits(schema, done.traits)
  const stamps = { created_at: now, updated_at: now }
  const invented =
    (purpose: Address['purpose'], status: Address['status']) =>
    (one: { via: Address['via']; value: string }): Address => ({
      id: newId(),
      purpose,
      status,
      ...one,
      ...stamps,
    })
  return {
    id: newId(),
    schema_id: schema.id,
    traits: done.traits,
    metadata_public: null,
    metadata_admin: null,
    state: 'active',
    state_changed_at: now,
    available_aal: 'aal1',
    ...stamps,
    addresses: [
      ...verifiable.map(invented('verification', 'sent')),
      ...recovery.map(invented('recovery', 'pending')),
    ],
  }
}

async function tellOwner(ctx: Context, { via, value }: Address): Promise<void> {
  const { login } = ctx.config.selfservice.flows
  const known = await findAddress(ctx.db, 'verification', via, value)
  if (!known) return
  await queueMail(ctx, {
    template_type: 'registration_duplicate',
    recipient: known.value,
    data: { url: new URL(login.ui_url, ctx.config.serve.public.base_url).href },
  })
}
