import type { Caller } from '../../caller.ts'
import type { Context, Handoff, Replacement, Submission } from '../../contract.ts'
import type { Done } from '../../done.ts'
import type { FormError, LimitReached } from '../../errors.ts'
import type { IssuedSession } from '../../sessions/issue.ts'
import type { Flow } from '../../storage/flows.ts'
import type { FlowKind, FlowType, Method } from '../../wire/flow.ts'
import type { InputNode, UiNode } from '../../wire/node.ts'
import type { UiText } from '../../wire/text.ts'
import type { Cell } from './cells.ts'

/** Where a request ends. `http/respond.ts` turns it into a response and nothing else does. */
export type Outcome =
  /** A new flow. */
  | { readonly kind: 'opened'; readonly flow: Flow; readonly shown?: object }
  /** The form again: 200 when something went on, 400 when something must be mended, 429 when it was tried too often. */
  | {
      readonly kind: 'form'
      readonly flow: Flow
      readonly status: 200 | 400 | 429
      /** Something must be mended. */
      readonly refused?: true
      readonly limit?: LimitReached
      /** Members of this one answer that are not part of the flow. */
      readonly shown?: object
      readonly cookies?: CookieChanges
    }
  /** Success: a script and an app read `body`, a navigating browser goes to `url`. */
  | {
      readonly kind: 'finished'
      readonly flow: Flow
      readonly body: object
      readonly url: string
      readonly cookies?: CookieChanges
    }
  /** The browser must go elsewhere first; a script is told so with 422. */
  | {
      readonly kind: 'elsewhere'
      readonly url: string
      /** The redirect's status: 303, and 302 where Kratos has it. */
      readonly status: 302 | 303
      /** A script is redirected too. */
      readonly always?: true
      readonly cookies?: CookieChanges
    }

/** Where a submission ends: an outcome, or a flow of another kind that goes on (`handoff.ts`). */
export type Ending = Outcome | Handoff

/** What an answer changes in the browser. */
export interface CookieChanges {
  /** A new CSRF secret. */
  readonly csrf?: string
  /** What it shall bring back from a provider. */
  readonly authorization_cookie?: string
  readonly session?: IssuedSession | 'removed'
}

/** What the query of a create request says, checked. */
export interface FlowStart<K extends FlowKind> {
  readonly fields?: Partial<
    Pick<
      Flow<K>,
      'refresh' | 'requested_aal' | 'identity_id' | 'identity_schema' | 'active' | 'state' | 'memo'
    >
  >
  readonly messages?: readonly UiText[]
}

/** What was sent, and the method that takes it. */
export interface Sent {
  readonly method: Method
  readonly values: Submission['values']
}

/** What is special about a kind of flow; everything else is the engine's. */
export interface FlowSpec<K extends FlowKind> {
  readonly kind: K
  /** The status of a form that continues with its next step: 400 at sign-in and sign-up, 200 elsewhere. */
  readonly stayStatus: 200 | 400
  /** A refused submission keeps the messages of earlier ones. */
  readonly keepsMessages: boolean
  /** Says that nobody took the submission. */
  readonly noMethod: UiText
  /** What `method` may be at all, where anything else is told apart from a method that is off. */
  methods?(flow: Flow<K>): readonly string[] | undefined
  /** Methods that are not found where they are switched off: by their name, or by fields of theirs. */
  readonly switchable?: {
    readonly named?: readonly Method[]
    readonly claimed?: readonly Method[]
    /** The field that is asked for first. */
    readonly needed?: Partial<Readonly<Record<Method, string>>>
  }
  /** Throws what is wrong with the fields that every method needs, where nobody took a submission. */
  assertFit?(ctx: Context, flow: Flow<K>, values: Submission['values']): void
  readonly lifespan: (ctx: Context) => number
  /** Whether somebody may begin; an outcome ends the request. */
  start(
    ctx: Context,
    query: URLSearchParams,
    caller: Caller,
    type: FlowType,
  ): Promise<FlowStart<K> | Extract<Outcome, { kind: 'elsewhere' }>>
  /** How a flow begins that keeps to the one method (`active`) it began with. */
  readonly firstFields?: (ctx: Context) => NonNullable<FlowStart<K>['fields']>
  /** Whether this kind of flow is switched on; throws when not. */
  assertEnabled?(ctx: Context): void
  /** Flows that are open already are taken also when this kind is switched off. */
  readonly endsWhenOff?: true
  /** Who may read a flow, where that is not the browser that opened it. `admit` throws. */
  readonly readers?: {
    gate(ctx: Context, caller: Caller): Promise<Outcome | undefined>
    admit(ctx: Context, flow: Flow<K>, caller: Caller): Promise<void>
  }
  /** Members of every answer that are not part of the flow. */
  shown?(ctx: Context, flow: Flow<K>): Promise<object>
  /** Before the flow is even looked up; an outcome ends the request. */
  gate?(ctx: Context, caller: Caller): Promise<Outcome | undefined>
  /** May this caller use it now? Throws, or ends the request with an outcome. */
  admit?(
    ctx: Context,
    flow: Flow<K>,
    caller: Caller,
    values: Submission['values'],
  ): Promise<Outcome | undefined>
  /** The same once the right browser is certain, for what only its owner may learn. */
  admitOwner?(
    ctx: Context,
    flow: Flow<K>,
    caller: Caller,
    values: Submission['values'],
  ): Promise<Outcome | undefined>
  /** Who comes back from a provider needs the form no more: an outcome ends the request. */
  admitBack?(ctx: Context, flow: Flow<K>, caller: Caller): Promise<Outcome | undefined>
  /** What was sent needs a sender who proved lately who they are: throws where they did not, and keeps it. */
  confirm?(ctx: Context, flow: Flow<K>, sent: Sent, caller: Caller): Promise<void>
  /** What was kept, for who comes back after that. */
  resume?(ctx: Context, flow: Flow<K>, caller: Caller): Promise<Submission['values'] | undefined>
  /** In a form of several screens: whether the present one draws this step. All are drawn when absent. */
  draws?(ctx: Context, flow: Flow<K>, cell: Cell<K>): boolean
  /** What a refused submission changes beside its messages. */
  refused?(ctx: Context, flow: Flow<K>, error: FormError, submission: Submission): Flow<K>
  /** What success means. */
  complete(ctx: Context, flow: Flow<K>, done: Done[K], caller: Caller): Promise<Outcome>
  /** The flow is over: another takes its place, and the caller is led to it. */
  expired(ctx: Context, flow: Flow<K>, caller: Caller): Promise<Outcome>
  /** A step cannot go on with this flow: the same, with the step's reason. */
  replaced(ctx: Context, flow: Flow<K>, why: Replacement, caller: Caller): Promise<Outcome>
  /** GET of the flow's own address: links from mails. */
  visit?(ctx: Context, flow: Flow<K>, query: URLSearchParams, caller: Caller): Promise<Ending>
  /** Answers a page that opens a mailed link whose flow ended long ago and was deleted. */
  forgotten?(ctx: Context, caller: Caller): Promise<Outcome>
  /** The form's address and method, where it is not the flow's own. */
  target?(
    ctx: Context,
    flow: Flow<K>,
  ): { readonly action: string; readonly method: 'POST' | 'GET' } | undefined
  /** Puts nodes into the order of this kind of flow, the CSRF token's among them. */
  arrange(ctx: Context, flow: Flow<K>, nodes: readonly UiNode[], csrf: InputNode): readonly UiNode[]
}
