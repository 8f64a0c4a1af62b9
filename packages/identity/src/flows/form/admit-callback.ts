import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { findLiveSession } from '../../sessions/find.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { Method } from '../../wire/flow.ts'
import { returnUrl } from './return-to.ts'
import type { Outcome } from './spec.ts'

/** If another tab has signed in meanwhile, that session stays, and the provider's response is not even read. */
export async function admitCallback(
  ctx: Context,
  flow: Flow<'login' | 'registration'>,
  caller: Caller,
  method: Method,
): Promise<Outcome | undefined> {
  const session = await findLiveSession(ctx, caller)
  if (!session || flow.refresh) return undefined
  return { kind: 'elsewhere', url: returnUrl(ctx, flow, flow.kind, method), status: 303 }
}
