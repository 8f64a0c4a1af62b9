import type { Context } from '../../contract/contract.ts'
import { awaitedProof } from '../../identities/named-account.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { CompletedStep, FlowStages, OpenFlow, Outcome } from '../form/decision.ts'
import { find, isExpired } from '../form/stored.ts'
import { callAllAside } from '../hooks/web-hooks.ts'
import { completeLogin } from '../login/login.ts'
import { loginStages } from '../login/start.ts'
import { rememberBrowser } from '../ownership/take-over.ts'
import { recoveryStages } from '../recovery/recovery.ts'
import { registrationStages } from '../registration/registration.ts'
import { settingsStages } from '../settings/settings.ts'
import { prepareVerification, verificationStages } from '../verification/verification.ts'

export const flowStages: { readonly [K in FlowKind]: FlowStages<K> } = {
  login: { ...loginStages, complete: verifyAndLogin },
  registration: registrationStages,
  settings: settingsStages,
  recovery: recoveryStages,
  verification: verificationStages,
}

/** A verification that waits for this sign-in is stored with it, and removes nothing. */
async function verifyAndLogin(ctx: Context, step: CompletedStep<'login'>): Promise<Outcome | OpenFlow> {
  const { flow, completion, caller } = step
  const proof = awaitedProof.read(flow)
  // A sign-in that proves the address again does not prove the account.
  const isAwaited = proof?.identity_id === completion.identity_id && completion.address_id === undefined
  const verification = isAwaited ? await find(ctx, 'verification', proof.flow_id) : undefined
  if (!proof || verification?.state !== 'sent_email' || isExpired(ctx, verification))
    return await completeLogin(ctx, step)
  const verifying = { flow: verification, completion: proof.completion, caller }
  const prepared = await prepareVerification(ctx, verifying)
  const awaited = {
    address_id: proof.completion.address_id,
    async store(ctx: Context) {
      await rememberBrowser(ctx, completion.identity_id, caller)
      return await prepared.store(ctx)
    },
  }
  const outcome = await completeLogin(ctx, step, awaited)
  // In the background, because their failure must not fail the login.
  callAllAside(ctx, prepared.following, prepared.event)
  return outcome
}
