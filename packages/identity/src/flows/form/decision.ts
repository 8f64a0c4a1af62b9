import type { Handoff, Submission } from '../../contract/contract.ts'
import type { LimitReached } from '../../errors/errors.ts'
import type { KnownSubject } from '../../identities/subject.ts'
import type { IssuedSession } from '../../sessions/issue.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import type { FlowKind, FlowType, Method } from '../../wire/flow.ts'
import type { UiText } from '../../wire/text.ts'

/** What a kind of flow decides about a request. `run/conclude.ts` carries it out. */
export type Decision = Outcome | OpenFlow | LinkSubmission

/** The result of a request. Only `http/respond.ts` turns it into a response. */
export type Outcome =
  /** A new flow. */
  | { readonly kind: 'opened'; readonly flow: Flow; readonly shown?: object | undefined }
  /** The form again: 200 after progress, 400 for invalid input, 429 when a limit was reached. */
  | {
      readonly kind: 'form'
      readonly flow: Flow
      readonly status: 200 | 400 | 429
      /** The submission was invalid. */
      readonly refused?: true
      readonly limit?: LimitReached
      /** Members of this response that are not part of the flow. */
      readonly shown?: object | undefined
      readonly cookies?: CookieChanges
    }
  /** Success: scripts and apps get `body`, a navigating browser is redirected to `url`. */
  | {
      readonly kind: 'finished'
      readonly flow: Flow
      readonly body: object
      readonly url: string
      readonly cookies?: CookieChanges
    }
  | Elsewhere

/** The browser must be redirected first; a script gets 422 with the address. */
export interface Elsewhere {
  readonly kind: 'elsewhere'
  readonly url: string
  /** 303, or 302 where Kratos uses it. */
  readonly status: 302 | 303
  /** Scripts are redirected as well. */
  readonly always?: true
  readonly cookies?: CookieChanges
}

/** Another flow takes over. It is opened and stored after the web hooks before its kind. */
export interface OpenFlow<K extends FlowKind = FlowKind> {
  readonly kind: 'open'
  readonly into: K
  readonly request: FlowRequest
  readonly start: FlowStart<K>
  /** Counts against the limit on new flows, because the client can cause it again and again (FLT-23). */
  readonly counts: boolean
  /** Leads the caller to the new flow. Throws `ProtocolError` if an error does. */
  lead(next: Flow<K>): Outcome
}

/** What a flow takes from the request that opened it. */
export interface FlowRequest {
  readonly type: FlowType
  readonly request_url: string
  /** The CSRF secret of the browser that owns the flow; the caller's if absent. */
  readonly csrf_secret?: string | undefined
}

/** The first state of a new flow. */
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
  /** Of the identity of `identity_id`, what has just been read. */
  readonly known?: KnownSubject
}

/** An opened link or a return from re-authentication stands for this submission. */
export interface LinkSubmission extends Omit<Submission, 'caller'> {
  readonly kind: 'submit'
  /** A page shows the result on the flow's own page. */
  readonly toPage?: true
}

/** The message for a form sent by GET. */
export const NO_BODY = 'This form must be sent with POST.'

/** The end of one flow: an outcome, or a handoff to a flow of another kind. */
export type Ending = Outcome | Handoff

/** The cookies that a response sets. */
export interface CookieChanges {
  /** A new CSRF secret. */
  readonly csrf?: string | undefined
  /** Binds what waits for this browser's return: a provider's response, or a submission. */
  readonly continuity_cookie?: string
  readonly session?: IssuedSession | 'removed' | undefined
  /** The browser of this session stays known to its account after the other devices were forgotten. */
  readonly device?: SessionAndIdentity | undefined
}

/** What a caller attempts with a flow: the values of a submission, or the method whose provider redirected back. */
export interface Attempt {
  readonly values: Submission['values']
  readonly method?: Method
}

/** A submission that a step has parsed. */
export interface ParsedSubmission {
  readonly values: Submission['values']
  /** It changes a credential or an address. */
  readonly privileged: boolean
}
