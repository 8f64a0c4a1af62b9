import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import type { Done } from '../../contract/done.ts'
import { awaitedProof } from '../../identities/named-account.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { OpenFlow, Outcome } from '../form/decision.ts'
import { find, isExpired } from '../form/stored.ts'
import { completeLogin } from '../login/login.ts'
import { rememberBrowser } from '../ownership/take-over.ts'
import { completeVerification } from '../verification/verification.ts'

/** A verification that waits for this sign-in is completed first, and removes nothing. */
export async function verifyAndLogin(
  ctx: Context,
  flow: Flow<'login'>,
  done: Done['login'],
  caller: Caller,
): Promise<Outcome | OpenFlow> {
  const proof = awaitedProof.read(flow)
  // A sign-in that proves the address again does not prove the account.
  if (proof?.identity_id === done.identity_id && done.address_id === undefined) {
    const verification = await find(ctx, 'verification', proof.flow_id)
    if (verification?.state === 'sent_email' && !isExpired(ctx, verification)) {
      await rememberBrowser(ctx, done.identity_id, caller)
      await completeVerification(ctx, verification, proof.done, caller)
    }
  }
  return await completeLogin(ctx, flow, done, caller)
}
