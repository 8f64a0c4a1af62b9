import type { Caller } from '../../contract/caller.ts'
import type { Completion } from '../../contract/completion.ts'
import type { Context, Handoff, Replacement, Submission } from '../../contract/contract.ts'
import type { FieldMessage, FormError, LimitReached } from '../../errors/errors.ts'
import type { KnownSubject } from '../../identities/subject.ts'
import type { IssuedSession } from '../../sessions/issue.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import type { FlowKind, FlowType, Method } from '../../wire/flow.ts'
import type { UiText } from '../../wire/text.ts'

/** Carried out by `run/conclude.ts`. */
export type Decision = Outcome | OpenFlow | LinkSubmission

/** Becomes a response in `http/respond.ts`. */
export type Outcome =
  | { readonly kind: 'opened'; readonly flow: Flow; readonly members?: object | undefined }
  /** 200 after progress, 400 for invalid input, 429 at a limit. */
  | {
      readonly kind: 'form'
      readonly flow: Flow
      readonly status: 200 | 400 | 429
      readonly refused?: true
      readonly limit?: LimitReached
      readonly members?: object | undefined
      readonly cookies?: CookieChanges
    }
  /** Scripts and apps get `body`; browsers are redirected to `url`. */
  | {
      readonly kind: 'finished'
      readonly flow: Flow
      readonly body: object
      readonly url: string
      readonly cookies?: CookieChanges
    }
  | Redirect

/** Scripts get 422 with the address. */
export interface Redirect {
  readonly kind: 'elsewhere'
  readonly url: string
  /** 302 only where Kratos uses it. */
  readonly status: 302 | 303
  readonly always?: true
  readonly cookies?: CookieChanges
}

/** Opens another flow after that kind's web hooks. */
export interface OpenFlow<K extends FlowKind = FlowKind> {
  readonly kind: 'open'
  readonly into: K
  readonly request: FlowRequest
  readonly start: FlowStart<K>
  /** Cookies of a session that is already stored. */
  readonly cookies?: CookieChanges
  /** Throws `ProtocolError` if the caller needs an error. */
  outcomeOf(next: Flow<K>): Outcome
}

export interface FlowRequest {
  readonly type: FlowType
  readonly request_url: string
  readonly csrf_secret?: string | undefined
}

export interface FlowStart<K extends FlowKind> {
  readonly fields?: Partial<
    Pick<
      Flow<K>,
      | 'refresh'
      | 'requested_aal'
      | 'identity_id'
      | 'identity_schema'
      | 'active'
      | 'state'
      | 'return_to'
      | 'memo'
    >
  >
  readonly messages?: readonly UiText[]
  readonly knownSubject?: KnownSubject
  /** Replaces the parameters of the request. */
  readonly query?: URLSearchParams | undefined
}

export interface LinkSubmission extends Omit<Submission, 'caller'> {
  readonly kind: 'submit'
  readonly toPage?: true
}

export const NO_BODY = 'This form must be sent with POST.'

export type Ending = Outcome | Handoff

export interface CookieChanges {
  readonly csrf?: string | undefined
  /** Binds a pending response or submission to this browser. */
  readonly continuity_token?: string
  readonly session?: IssuedSession | 'removed' | undefined
  /** Keeps this browser known after other devices were forgotten. */
  readonly device?: SessionAndIdentity | undefined
}

type EntryKind = 'read' | 'submit' | 'callback'

/** A step rejects its input, or the flow its result. */
export type ErrorSource = 'step' | 'flow'

/** An error to show on the form, with the messages from before. */
export interface Rejection {
  readonly error: FormError
  readonly by: ErrorSource
  readonly submission: Submission
  readonly previousMessages: readonly FieldMessage[]
  /** An earlier submission matched no method. */
  readonly wasUnclaimed: boolean
}

export interface ParsedSubmission {
  readonly values: Submission['values']
  readonly privileged: boolean
}

export type Reason = Omit<Replacement, 'kind'>

export interface CompletedStep<K extends FlowKind> {
  readonly flow: Flow<K>
  readonly completion: Completion[K]
  readonly caller: Caller
}

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
  preview?(ctx: Context, step: CompletedStep<K>): Promise<OpenFlow | undefined>
  complete(ctx: Context, step: CompletedStep<K>): Promise<Outcome | OpenFlow>
  /** Without a reason, the flow has expired. */
  replace(ctx: Context, flow: Flow<K>, caller: Caller, why?: Reason): OpenFlow | Promise<OpenFlow>
}
