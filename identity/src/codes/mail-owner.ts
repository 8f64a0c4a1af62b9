import type { ChallengeTarget, Context } from '../contract.ts'
import { transact } from '../contract.ts'
import { queueMail } from '../courier/queue.ts'
import { isEmail } from '../identities/formats.ts'
import { normaliseIdentifier } from '../identities/traits.ts'
import { deleteCodes } from '../storage/codes.ts'
import type { Flow } from '../storage/flows.ts'
import { findAddress, markAddressSent } from '../storage/identities.ts'
import { withinBudget } from './budget.ts'
import { inSameTime } from './in-same-time.ts'

type Kind = 'recovery' | 'verification'

export interface OwnersMail {
  /** What the owner gets, at the address as it is stored, never as it was typed (SEC-07). */
  owner(ctx: Context, target: ChallengeTarget): Promise<void>
  /** What somebody gets who has no account, where the configuration wants that. */
  readonly stranger: `${Kind}_invalid` | `${Kind}_code_invalid`
}

/**
 * Mails a code or a link to the owner of an address. Nothing that the caller sees tells whether there is one (SEC-13),
 * not even the time that it takes (SEC-14), or whether the budget of the address is used up (SEC-03).
 */
export async function mailOwner(
  ctx: Context,
  flow: Flow<Kind>,
  typed: string,
  mails: OwnersMail,
): Promise<void> {
  await inSameTime(ctx, () => mail(ctx, flow, typed, mails))
}

async function mail(
  ctx: Context,
  flow: Flow<Kind>,
  typed: string,
  { owner, stranger }: OwnersMail,
): Promise<void> {
  const address = normaliseIdentifier('code', typed)
  const known = await findAddress(ctx.db, flow.kind, 'email', address)
  const granted = await withinBudget(ctx, 'send', address)
  await transact(ctx, async (ctx) => {
    // What went elsewhere is dead from now on: the form speaks of another address (SEC-02).
    if (flow.memo.code?.address !== typed) await deleteCodes(ctx.db, flow.id)
    if (!granted) return
    if (known) {
      await owner(ctx, { address: known.value, address_id: known.id, identity_id: known.identity_id })
      if (flow.kind === 'verification') await markAddressSent(ctx.db, known.id, ctx.now().toISOString())
    } else if (ctx.config.selfservice.flows[flow.kind].notify_unknown_recipients && isEmail(typed)) {
      await queueMail(ctx, { template_type: stranger, recipient: typed, data: {} })
    }
  })
}
