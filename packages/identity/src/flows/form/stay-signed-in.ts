import type { Context, Submission } from '../../contract/contract.ts'
import { readFlag } from '../../identities/schema/decode.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { memoPart } from '../../storage/flows/memo.ts'
import { input } from '../../ui/nodes.ts'
import { ownMessages } from '../../ui/own-messages.ts'
import type { UiNode } from '../../wire/node.ts'

const FIELD = 'stay_signed_in'
/** The user chose a longer session. */
const staysSignedIn = memoPart<boolean>('stay_signed_in')
const DAY_MS = 24 * 60 * 60_000

/** The choice of a longer session. Made with the first factor; the second factor and re-authentication keep it. */
export function staySignedInNodes(ctx: Context, flow: Flow<'login'>): UiNode[] {
  const { extended_lifespan } = ctx.config.session
  if (extended_lifespan === undefined || !opensSession(flow) || flow.state !== 'choose_method') return []
  const label = ownMessages.staySignedIn(Math.round(extended_lifespan / DAY_MS))
  return [input('default', FIELD, 'checkbox', { value: staysSignedIn.read(flow) === true, label })]
}

/** Later submissions of the flow may omit the field: a code, or the callback of a provider. */
export function recordStay(ctx: Context, flow: Flow<'login'>, values: Submission['values']): Flow<'login'> {
  if (ctx.config.session.extended_lifespan === undefined || !Object.hasOwn(values, FIELD)) return flow
  return staysSignedIn.write(flow, readFlag(values, FIELD))
}

/** The lifespan of this flow's session, in milliseconds. */
export function lifespanOf({ config: { session } }: Context, flow: Flow<'login'>): number {
  const chosen = opensSession(flow) && staysSignedIn.read(flow) === true
  return (chosen ? session.extended_lifespan : undefined) ?? session.lifespan
}

function opensSession(flow: Flow<'login'>): boolean {
  return !flow.refresh && flow.requested_aal === 'aal1'
}
