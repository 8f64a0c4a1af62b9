import type { Caller, Context, Done } from '../../contract.ts'
import type { Flow } from '../../storage/flows.ts'
import type { StoredIdentity } from '../../storage/identities.ts'
import type { Outcome } from '../spec.ts'
import { hasHook } from './hooks.ts'
import { requireVerifiedAddress } from './require-verified-address.ts'

/** Who signed in, how, and with which form. */
export interface LoggedIn {
  readonly flow: Flow<'login'>
  readonly identity: StoredIdentity
  readonly done: Done['login']
  readonly caller: Caller
}

/** The hooks that may turn somebody away although the credential was right; an outcome ends the request. */
export async function runAfterLogin(
  ctx: Context,
  { flow, identity, done, caller }: LoggedIn,
): Promise<Outcome | undefined> {
  if (!hasHook(ctx, 'login', done.method, 'require_verified_address')) return undefined
  const proof = { method: done.method, aal: done.aal, completed_at: ctx.now().toISOString() }
  const cause = {
    flow,
    identity,
    caller,
    csrf_secret: caller.csrf.secret,
    authentication_methods: [proof],
  }
  return await requireVerifiedAddress(ctx, cause, done.method)
}
