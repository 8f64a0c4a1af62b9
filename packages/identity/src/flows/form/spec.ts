import type { Caller } from '../../contract/caller.ts'
import type { Context, Handoff, Replacement, Submission } from '../../contract/contract.ts'
import type { Done } from '../../contract/done.ts'
import type { FormError, LimitReached } from '../../errors/errors.ts'
import type { KnownSubject } from '../../identities/subject.ts'
import type { IssuedSession } from '../../sessions/issue.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import type { FlowKind, FlowType, Method } from '../../wire/flow.ts'
import type { InputNode, UiNode } from '../../wire/node.ts'
import type { UiText } from '../../wire/text.ts'
import type { Cell } from './steps.ts'

/** The result of a request. Only `http/respond.ts` turns it into a response. */
export type Outcome =
  /** A new flow. */
  | { readonly kind: 'opened'; readonly flow: Flow; readonly shown?: object }
  /** The form again: 200 after progress, 400 for invalid input, 429 when a limit was reached. */
  | {
      readonly kind: 'form'
      readonly flow: Flow
      readonly status: 200 | 400 | 429
      /** The submission was invalid. */
      readonly refused?: true
      readonly limit?: LimitReached
      /** Members of this response that are not part of the flow. */
      readonly shown?: object
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
  /** The browser must be redirected first; a script gets 422 with the address. */
  | {
      readonly kind: 'elsewhere'
      readonly url: string
      /** 303, or 302 where Kratos uses it. */
      readonly status: 302 | 303
      /** Scripts are redirected as well. */
      readonly always?: true
      readonly cookies?: CookieChanges
    }

/** The result of a submission: an outcome, or a handoff to a flow of another kind (`handoff.ts`). */
export type Ending = Outcome | Handoff

/** The cookies that a response sets. */
export interface CookieChanges {
  /** A new CSRF secret. */
  readonly csrf?: string
  /** Binds what waits for this browser's return: a provider's response, or a submission. */
  readonly continuity_cookie?: string
  readonly session?: IssuedSession | 'removed'
  /** The browser of this session stays known to its account after the other devices were forgotten. */
  readonly device?: SessionAndIdentity
}

/** The validated query of a create request. */
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

/** A submission that a step has parsed. */
export interface Sent {
  readonly values: Submission['values']
  /** It changes a credential or an address. */
  readonly privileged: boolean
}

/** What is specific to one kind of flow; everything else is in the engine. */
export interface FlowSpec<K extends FlowKind> {
  readonly kind: K
  /** The status of a form that continues with its next step: 400 for login and registration, 200 elsewhere. */
  readonly stayStatus: 200 | 400
  /** An invalid submission keeps the earlier messages. */
  readonly keepsMessages: boolean
  /** The message if no method took the submission. */
  readonly noMethod: UiText
  /** Throws the errors of fields that every method requires, if no method took the submission. */
  assertFit?(ctx: Context, flow: Flow<K>, values: Submission['values']): void
  readonly lifespan: (ctx: Context) => number
  /** Whether this caller may open the flow; an outcome ends the request. */
  start(
    ctx: Context,
    query: URLSearchParams,
    caller: Caller,
    type: FlowType,
  ): Promise<FlowStart<K> | Extract<Outcome, { kind: 'elsewhere' }>>
  /** The method of flows that keep to one (`active`). */
  readonly method?: (ctx: Context) => Method
  /** Throws if this kind of flow is disabled: none is opened or read. */
  assertEnabled?(ctx: Context): void
  /** Who may read a flow, if not only the browser that opened it. `admit` throws. */
  readonly readers?: {
    gate(ctx: Context, caller: Caller): Promise<Outcome | Caller>
    admit(ctx: Context, flow: Flow<K>, caller: Caller): Promise<void>
  }
  /** Members of every response that are not part of the flow. */
  shown?(ctx: Context, flow: Flow<K>, identity?: StoredIdentity): Promise<object>
  /** Runs before the flow is loaded. Returns the caller with its session, or an outcome that ends the request. */
  gate?(ctx: Context, caller: Caller): Promise<Outcome | Caller>
  /** Keeps values that may be sent with any method. */
  note?(ctx: Context, flow: Flow<K>, values: Submission['values']): Flow<K>
  /** Whether this caller may use the flow now. Throws, or ends the request with an outcome. */
  admit?(
    ctx: Context,
    flow: Flow<K>,
    caller: Caller,
    values: Submission['values'],
  ): Promise<Outcome | undefined>
  /** Like `admit`, after the CSRF check: for what only the flow's owner may learn or be asked. */
  admitOwner?(ctx: Context, flow: Flow<K>, sent: Sent, caller: Caller): Promise<Outcome | undefined>
  /** Runs when a provider redirects back; an outcome ends the request without the form. */
  admitCallback?(ctx: Context, flow: Flow<K>, caller: Caller, method: Method): Promise<Outcome | undefined>
  /** On a form of several screens: whether the current one shows this step. All steps are shown if absent. */
  draws?(ctx: Context, flow: Flow<K>, cell: Cell<K>): boolean
  /** What an invalid submission changes besides messages. */
  refused?(ctx: Context, flow: Flow<K>, error: FormError, submission: Submission): Flow<K>
  /** Carries out the flow's purpose. */
  complete(ctx: Context, flow: Flow<K>, done: Done[K], caller: Caller): Promise<Outcome>
  /** The flow has expired: opens another and leads the caller to it. */
  expired(ctx: Context, flow: Flow<K>, caller: Caller): Promise<Outcome>
  /** A step cannot continue this flow: opens another with the step's reason. */
  replaced(ctx: Context, flow: Flow<K>, why: Replacement, caller: Caller): Promise<Outcome>
  /** GET of the flow's own address: an emailed link, or the return after re-authentication. */
  visit?(ctx: Context, query: URLSearchParams, caller: Caller): Promise<Ending>
  /** The form's action and method, if they are not the flow's own. */
  target?(
    ctx: Context,
    flow: Flow<K>,
  ): { readonly action: string; readonly method: 'POST' | 'GET' } | undefined
  /** Sorts the nodes, including the CSRF token, in the order of this kind of flow. */
  arrange(ctx: Context, flow: Flow<K>, nodes: readonly UiNode[], csrf: InputNode): readonly UiNode[]
}
