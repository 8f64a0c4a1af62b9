import type { Handoff, Submission } from '../../contract/contract.ts'
import type { LimitReached } from '../../errors/errors.ts'
import type { KnownSubject } from '../../identities/subject.ts'
import type { IssuedSession } from '../../sessions/issue.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import type { FlowKind, FlowType, Method } from '../../wire/flow.ts'
import type { UiText } from '../../wire/text.ts'

/** The decision about a request. `run/conclude.ts` carries it out. */
export type Decision = Outcome | OpenFlow | LinkSubmission

/** Only `http/respond.ts` turns an outcome into a response. */
export type Outcome =
  | { readonly kind: 'opened'; readonly flow: Flow; readonly shown?: object | undefined }
  /** 200 after progress, 400 for invalid input, 429 at a limit. */
  | {
      readonly kind: 'form'
      readonly flow: Flow
      readonly status: 200 | 400 | 429
      /** Set after an invalid submission. */
      readonly refused?: true
      readonly limit?: LimitReached
      /** Further members of this response. */
      readonly shown?: object | undefined
      readonly cookies?: CookieChanges
    }
  /** Scripts and apps get `body`. A navigating browser is redirected to `url`. */
  | {
      readonly kind: 'finished'
      readonly flow: Flow
      readonly body: object
      readonly url: string
      readonly cookies?: CookieChanges
    }
  | Elsewhere

/** Redirects the browser. Scripts get 422 with the address. */
export interface Elsewhere {
  readonly kind: 'elsewhere'
  readonly url: string
  /** 302 only where Kratos uses it. */
  readonly status: 302 | 303
  /** Also redirects scripts. */
  readonly always?: true
  readonly cookies?: CookieChanges
}

/** Opens and stores another flow after that kind's web hooks. */
export interface OpenFlow<K extends FlowKind = FlowKind> {
  readonly kind: 'open'
  readonly into: K
  readonly request: FlowRequest
  readonly start: FlowStart<K>
  /** Counts against the limit on new flows, because clients can repeat it (FLT-23). */
  readonly counts: boolean
  /** Leads the caller to the new flow. Throws `ProtocolError` if the caller needs an error. */
  lead(next: Flow<K>): Outcome
}

/** Values from the request that opened a flow. */
export interface FlowRequest {
  readonly type: FlowType
  readonly request_url: string
  /** The CSRF secret of the owning browser. Defaults to the caller's. */
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
  /** The identity of `identity_id`, if it was just read. */
  readonly known?: KnownSubject
}

/** The submission of an opened link or of a return from re-authentication. */
export interface LinkSubmission extends Omit<Submission, 'caller'> {
  readonly kind: 'submit'
  /** Shows the result to browsers on the flow's own page. */
  readonly toPage?: true
}

/** For forms sent by GET. */
export const NO_BODY = 'This form must be sent with POST.'

/** An outcome, or a handoff to a flow of another kind. */
export type Ending = Outcome | Handoff

export interface CookieChanges {
  readonly csrf?: string | undefined
  /** Identifies the browser when it returns from a provider or from re-authentication. */
  readonly continuity_cookie?: string
  readonly session?: IssuedSession | 'removed' | undefined
  /** Keeps this session's browser known after other devices were forgotten. */
  readonly device?: SessionAndIdentity | undefined
}

/** A submission, or the method whose provider redirected back. */
export interface Attempt {
  readonly values: Submission['values']
  readonly method?: Method
}

export interface ParsedSubmission {
  readonly values: Submission['values']
  /** Set if it changes a credential or an address. */
  readonly privileged: boolean
}
