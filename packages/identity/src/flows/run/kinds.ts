import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import type { Done } from '../../contract/done.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { FlowKind, FlowType } from '../../wire/flow.ts'
import { ignoreIfSignedIn } from '../form/admission.ts'
import type {
  Attempt,
  Decision,
  Elsewhere,
  FlowStart,
  OpenFlow,
  Outcome,
  ParsedSubmission,
} from '../form/decision.ts'
import type { Reason } from '../form/replacement.ts'
import { admitLogin, completeLogin, replaceLogin, startLogin } from '../login/login.ts'
import {
  admitRecovery,
  admitRecoveryOwner,
  assertRecoveryEnabled,
  completeRecovery,
  replaceRecovery,
  startRecovery,
  visitRecovery,
} from '../recovery/recovery.ts'
import {
  assertRegistrationEnabled,
  completeRegistration,
  refuseSignedIn,
  replaceRegistration,
  startRegistration,
} from '../registration/registration.ts'
import { admitReader, admitSubmitter, requireConfirmation, requireSession } from '../settings/access.ts'
import { completeSettings, replaceSettings, startSettings, visitSettings } from '../settings/settings.ts'
import {
  assertVerificationEnabled,
  completeVerification,
  replaceVerification,
  startVerificationFlow,
  visitVerification,
} from '../verification/verification.ts'

/** In the order of the stages in `entries.ts`. */
export interface Kind<K extends FlowKind> {
  readonly kind: K
  assertEnabled?(ctx: Context): void
  start(
    ctx: Context,
    query: URLSearchParams,
    caller: Caller,
    type: FlowType,
  ): Promise<FlowStart<K> | Elsewhere>
  readonly read?: Admission<K>
  readonly submit?: Admission<K>
  readonly callback?: Admission<K>
  /** Runs after the CSRF check, because only the owner may see its result. */
  admitOwner?(
    ctx: Context,
    flow: Flow<K>,
    parsed: ParsedSubmission,
    caller: Caller,
  ): Promise<Outcome | undefined>
  /** Handles an emailed link or a return from re-authentication. */
  visit?(ctx: Context, query: URLSearchParams, caller: Caller): Promise<Decision>
  complete(ctx: Context, flow: Flow<K>, done: Done[K], caller: Caller): Promise<Outcome | OpenFlow>
  /** Without a reason, the flow has expired. */
  replace(ctx: Context, flow: Flow<K>, caller: Caller, why?: Reason): OpenFlow | Promise<OpenFlow>
}

/** Both throw, or end the request with a decision. */
interface Admission<K extends FlowKind> {
  session?(ctx: Context, caller: Caller): Promise<Elsewhere | Caller>
  flow?(
    ctx: Context,
    flow: Flow<K>,
    caller: Caller,
    attempt: Attempt,
  ): Promise<Outcome | OpenFlow | undefined>
}

const settingsUser = { session: requireSession, flow: admitSubmitter }

export const kinds: { readonly [K in FlowKind]: Kind<K> } = {
  login: {
    kind: 'login',
    start: startLogin,
    submit: { flow: admitLogin },
    callback: { flow: ignoreIfSignedIn },
    complete: completeLogin,
    replace: replaceLogin,
  },
  registration: {
    kind: 'registration',
    assertEnabled: assertRegistrationEnabled,
    start: startRegistration,
    submit: { session: refuseSignedIn, flow: async (ctx) => void assertRegistrationEnabled(ctx) },
    callback: { flow: ignoreIfSignedIn },
    complete: completeRegistration,
    replace: replaceRegistration,
  },
  settings: {
    kind: 'settings',
    start: startSettings,
    read: { session: requireSession, flow: admitReader },
    submit: settingsUser,
    callback: settingsUser,
    admitOwner: requireConfirmation,
    visit: visitSettings,
    complete: completeSettings,
    replace: replaceSettings,
  },
  recovery: {
    kind: 'recovery',
    assertEnabled: assertRecoveryEnabled,
    start: startRecovery,
    submit: { flow: admitRecovery },
    admitOwner: admitRecoveryOwner,
    visit: visitRecovery,
    complete: completeRecovery,
    replace: replaceRecovery,
  },
  verification: {
    kind: 'verification',
    assertEnabled: assertVerificationEnabled,
    start: startVerificationFlow,
    submit: { flow: async (ctx) => void assertVerificationEnabled(ctx) },
    visit: visitVerification,
    complete: completeVerification,
    replace: replaceVerification,
  },
}
