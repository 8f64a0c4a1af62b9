import type { Caller } from '../../contract/caller.ts'
import type { Completion } from '../../contract/completion.ts'
import type { Context, Submission } from '../../contract/contract.ts'
import { awaitedProof } from '../../identities/named-account.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { FlowKind, FlowType, Method } from '../../wire/flow.ts'
import { assertFlowEnabled, ignoreIfSignedIn } from '../form/admission.ts'
import type {
  Decision,
  EntryKind,
  FlowStart,
  OpenFlow,
  Outcome,
  ParsedSubmission,
  Redirect,
} from '../form/decision.ts'
import type { Reason } from '../form/replacement.ts'
import { find, isExpired } from '../form/stored.ts'
import { completeLogin } from '../login/login.ts'
import { admitLogin, replaceLogin, startLogin } from '../login/start.ts'
import { rememberBrowser } from '../ownership/take-over.ts'
import {
  admitRecovery,
  admitRecoveryOwner,
  admitUnclaimedRecovery,
  completeRecovery,
  replaceRecovery,
  startRecovery,
  visitRecovery,
} from '../recovery/recovery.ts'
import { leadTaken } from '../registration/link-offer.ts'
import {
  completeRegistration,
  rejectSignedInSubmission,
  replaceRegistration,
  startRegistration,
} from '../registration/registration.ts'
import { admitReader, admitSubmitter, requireConfirmation, requireSession } from '../settings/access.ts'
import { completeSettings, replaceSettings, startSettings, visitSettings } from '../settings/settings.ts'
import {
  completeVerification,
  prepareVerification,
  replaceVerification,
  startVerificationFlow,
} from '../verification/verification.ts'
import { visitVerification } from '../verification/visit.ts'

/** In the order of the stages in `entries.ts`. */
export interface FlowStages<K extends FlowKind> {
  readonly kind: K
  /** Throws if the kind of flow is disabled. */
  start(
    ctx: Context,
    query: URLSearchParams,
    caller: Caller,
    type: FlowType,
  ): Promise<FlowStart<K> | Redirect>
  /** Runs before the flow is loaded. May add the session. */
  admitSession?(ctx: Context, caller: Caller, entry: EntryKind): Promise<Redirect | Caller>
  /** Defaults to the browser that opened the flow. */
  admitReader?(ctx: Context, flow: Flow<K>, caller: Caller): Promise<void>
  admitSubmission?(
    ctx: Context,
    flow: Flow<K>,
    caller: Caller,
    values: Submission['values'],
  ): Promise<Outcome | OpenFlow | undefined>
  admitCallback?(ctx: Context, flow: Flow<K>, caller: Caller, method: Method): Promise<Outcome | undefined>
  /** Runs instead of a step. */
  admitUnclaimed?(
    ctx: Context,
    flow: Flow<K>,
    values: Submission['values'],
    caller: Caller,
  ): Promise<Outcome | undefined>
  /** Runs after the CSRF check, because only the owner may see its result. */
  admitOwner?(
    ctx: Context,
    flow: Flow<K>,
    parsed: ParsedSubmission,
    caller: Caller,
  ): Promise<Outcome | undefined>
  /** An emailed link, or a return from re-authentication. */
  visit?(ctx: Context, query: URLSearchParams, caller: Caller): Promise<Decision>
  /**
   * Where a provider's response for an app leads before it is completed. If this stage exists, the app's redemption
   * completes it.
   */
  preview?(
    ctx: Context,
    flow: Flow<K>,
    completion: Completion[K],
    caller: Caller,
  ): Promise<OpenFlow | undefined>
  complete(
    ctx: Context,
    flow: Flow<K>,
    completion: Completion[K],
    caller: Caller,
  ): Promise<Outcome | OpenFlow>
  /** Without a reason, the flow has expired. */
  replace(ctx: Context, flow: Flow<K>, caller: Caller, why?: Reason): OpenFlow | Promise<OpenFlow>
}

export const flowStages: { readonly [K in FlowKind]: FlowStages<K> } = {
  login: {
    kind: 'login',
    start: startLogin,
    admitSubmission: admitLogin,
    admitCallback: ignoreIfSignedIn,
    complete: verifyAndLogin,
    replace: replaceLogin,
  },
  registration: {
    kind: 'registration',
    start: startRegistration,
    admitSession: rejectSignedInSubmission,
    admitCallback: ignoreIfSignedIn,
    preview: leadTaken,
    complete: completeRegistration,
    replace: replaceRegistration,
  },
  settings: {
    kind: 'settings',
    start: startSettings,
    admitSession: requireSession,
    admitReader,
    admitSubmission: admitSubmitter,
    admitCallback: admitSubmitter,
    admitOwner: requireConfirmation,
    visit: visitSettings,
    complete: completeSettings,
    replace: replaceSettings,
  },
  recovery: {
    kind: 'recovery',
    start: startRecovery,
    admitSubmission: admitRecovery,
    admitUnclaimed: admitUnclaimedRecovery,
    admitOwner: admitRecoveryOwner,
    visit: visitRecovery,
    complete: completeRecovery,
    replace: replaceRecovery,
  },
  verification: {
    kind: 'verification',
    start: startVerificationFlow,
    admitSubmission: async (ctx, { kind }) => void assertFlowEnabled(ctx, kind),
    visit: visitVerification,
    complete: completeVerification,
    replace: replaceVerification,
  },
}

/** A verification that waits for this sign-in is stored with it, and removes nothing. */
async function verifyAndLogin(
  ctx: Context,
  flow: Flow<'login'>,
  completion: Completion['login'],
  caller: Caller,
): Promise<Outcome | OpenFlow> {
  const proof = awaitedProof.read(flow)
  // A sign-in that proves the address again does not prove the account.
  const isAwaited = proof?.identity_id === completion.identity_id && completion.address_id === undefined
  const verification = isAwaited ? await find(ctx, 'verification', proof.flow_id) : undefined
  if (!proof || verification?.state !== 'sent_email' || isExpired(ctx, verification))
    return await completeLogin(ctx, flow, completion, { caller })
  const prepared = await prepareVerification(ctx, verification, proof.completion, caller)
  const awaited = {
    address_id: proof.completion.address_id,
    async store(ctx: Context) {
      await rememberBrowser(ctx, completion.identity_id, caller)
      return await prepared.store(ctx)
    },
  }
  const outcome = await completeLogin(ctx, flow, completion, { caller, awaited })
  await prepared.follow()
  return outcome
}
