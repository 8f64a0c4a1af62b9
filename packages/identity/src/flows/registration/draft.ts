import { pageUrl } from '../../config/base-url.ts'
import type { Completion } from '../../contract/completion.ts'
import type { Context } from '../../contract/contract.ts'
import { transact } from '../../contract/transact.ts'
import { queueMail } from '../../courier/queue.ts'
import { NIL_ID } from '../../crypto/random.ts'
import { hasProof } from '../../identities/addresses/proof.ts'
import { type IdentityDraft, newIdentity } from '../../identities/create.ts'
import { deriveFromTraits, type IdentifierType } from '../../identities/schema/traits.ts'
import type { FlowBound } from '../../storage/flows/flows.ts'
import { isReserved } from '../../storage/identities/address-changes.ts'
import {
  type Address,
  findAddress,
  insertIdentity,
  type StoredIdentity,
} from '../../storage/identities/identities.ts'
import { selectedSchema } from '../form/admission.ts'
import type { CompletedStep } from '../form/decision.ts'
import { signsIn, stoppingWebHooks } from '../hooks/hooks.ts'
import { changedByHooks, schemaNamed } from '../hooks/web-hooks.ts'
import { pretendVerification, type StartedVerification, withSentTo } from '../ownership/verify-address.ts'

export async function draftAfterHooks(
  ctx: Context,
  { flow, completion, caller }: CompletedStep<'registration'>,
): Promise<IdentityDraft> {
  const {
    traits,
    credentials,
    metadata_public,
    metadata_admin,
    verified = [],
    transient_payload,
  } = completion
  const draft = {
    schema: selectedSchema(ctx, flow.identity_schema),
    traits,
    credentials,
    verified: verified.map((value) => ({ value })),
    metadata_public,
    metadata_admin,
  }
  const hooks = stoppingWebHooks(ctx, 'registration', completion.method)
  if (hooks.length === 0) return draft
  // Kratos compatibility: web hooks get this id before the identity is stored.
  const { identity } = newIdentity(ctx, draft, NIL_ID)
  const changed = await changedByHooks(ctx, hooks, { flow, caller, identity, transient_payload })
  return changed ? draftOf(ctx, changed, credentials) : draft
}

function draftOf(
  ctx: Context,
  identity: StoredIdentity,
  credentials: Completion['registration']['credentials'],
): IdentityDraft {
  const { traits, state, external_id, metadata_public, metadata_admin, addresses } = identity
  const schema = schemaNamed(ctx, identity)
  const { identifiers } = deriveFromTraits(schema, traits)
  return {
    schema,
    traits,
    credentials: credentials.map((one) => ({
      ...one,
      identifiers: identifiers[one.type as IdentifierType] ?? one.identifiers,
    })),
    state,
    external_id,
    metadata_public,
    metadata_admin,
    verified: addresses.filter(({ verified_at }) => verified_at !== undefined),
  }
}

interface Invented {
  readonly identity: StoredIdentity
  readonly address: Address | undefined
  readonly csrf: string
  readonly bound: FlowBound
}

/** Sessions cannot be faked. */
export function hidesDuplicates(
  ctx: Context,
  step: CompletedStep<'registration'>,
  unproven: object | undefined,
): boolean {
  return ctx.config.security.account_enumeration.mitigate && !signsIn(ctx, step, unproven)
}

/** Runs the product's hooks as for a new account and undoes them, because a refusal would reveal accounts (SEC-13). */
export async function rehearseHooks(ctx: Context, identity: StoredIdentity): Promise<void> {
  const undone = new Error('undone')
  const { external_id: _, ...row } = identity
  const work = transact(ctx, async (ctx) => {
    await insertIdentity(ctx.db, { ...row, addresses: [] })
    await runHooks(ctx, identity)
    throw undone
  })
  await work.catch((error: unknown) => {
    if (error !== undone) throw error
  })
}

export async function runHooks(ctx: Context, identity: StoredIdentity): Promise<void> {
  await ctx.product.registered(ctx, identity)
  if (hasProof(identity)) await ctx.product.verified(ctx, identity)
}

/**
 * Answers with a made-up identity and a form whose code never arrives; the owner gets an email. Without
 * `security.account_enumeration.mitigate`, error 4000007 (documented difference).
 */
export async function pretendRegistration(
  ctx: Context,
  { flow, caller }: CompletedStep<'registration'>,
  { identity, address, csrf, bound }: Invented,
): Promise<{ identity: StoredIdentity; verification: StartedVerification | undefined }> {
  if (!address) return { identity, verification: undefined }
  const cause = { flow, caller, bound, csrf_secret: csrf }
  const verification = await pretendVerification(ctx, cause, address, (ctx) => tellOwner(ctx, address))
  return { identity: withSentTo(ctx, identity, address), verification }
}

async function tellOwner(ctx: Context, { via, value }: Address): Promise<string | undefined> {
  const knownAddress = await findAddress(ctx.db, 'verification', via, value)
  if (!knownAddress) {
    const isKept = await isReserved(ctx.db, NIL_ID, [value], ctx.now().toISOString())
    const order = {
      template_type: 'address_reserved',
      recipient: value,
      identity_id: undefined,
      data: {},
    } as const
    return isKept ? await queueMail(ctx, order) : undefined
  }
  return await queueMail(ctx, {
    template_type: 'registration_duplicate',
    recipient: knownAddress.value,
    identity_id: knownAddress.identity_id,
    data: { url: pageUrl(ctx, 'login') },
  })
}
