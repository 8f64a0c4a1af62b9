import type { Caller } from '../../caller.ts'
import type { Context } from '../../contract.ts'
import { findLiveSession } from '../../sessions/find.ts'
import type { Flow } from '../../storage/flows.ts'
import { returnUrl } from '../engine/return-to.ts'
import type { Outcome } from '../engine/spec.ts'

/** Whoever signed in meanwhile in another tab stays who they are, and what the provider says is not even read. */
export async function admitCallback(
  ctx: Context,
  flow: Flow<'login' | 'registration'>,
  caller: Caller,
): Promise<Outcome | undefined> {
  const session = await findLiveSession(ctx, caller)
  if (!session || flow.refresh) return undefined
  return { kind: 'elsewhere', url: returnUrl(ctx, flow, flow.kind, 'oidc'), status: 303 }
}
