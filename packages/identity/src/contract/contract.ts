import type { ChallengeTarget } from '../codes/issue.ts'
import type { Config } from '../config/config.ts'
import type { KratosTexts } from '../config/sources/kratos-features.ts'
import type { PasswordHasher } from '../crypto/passwords/password-hash.ts'
import type { Secrets } from '../crypto/secrets.ts'
import type { FormError } from '../errors/errors.ts'
import type { ProductHooks } from '../extension/product-hooks.ts'
import type { CredentialAdmin } from '../identities/credential-admin.ts'
import type { IdentitySchemas } from '../identities/schema/schema.ts'
import type { Subject } from '../identities/subject.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Admission } from '../service/admission.ts'
import type { Background } from '../service/background.ts'
import type { Db } from '../storage/db.ts'
import type { Flow } from '../storage/flows/flows.ts'
import type { Credential } from '../storage/identities/credentials.ts'
import type { Heartbeat } from '../storage/installation.ts'
import type { CountedAttempt } from '../storage/limits.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { FlowKind, Method } from '../wire/flow.ts'
import type { JsonObject } from '../wire/identity.ts'
import type { InputNode, NodeGroup, UiNode } from '../wire/node.ts'
import type { Aal } from '../wire/session.ts'
import type { UiText } from '../wire/text.ts'
import type { Caller, RequestSource } from './caller.ts'
import type { Completion } from './completion.ts'
import type { Once } from './once.ts'

/** Must never receive a secret, code or token. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Ends early once the signal aborts. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<unknown>

export interface Context {
  readonly db: Db
  readonly config: Config
  readonly strategies: readonly Strategy[]
  readonly schemas: IdentitySchemas
  readonly secrets: Secrets
  readonly hasher: PasswordHasher
  readonly now: () => Date
  readonly sleep: Sleep
  readonly log: Log
  readonly fetch: typeof fetch
  readonly background: Background
  readonly admission: Admission
  readonly heartbeat: Heartbeat
  readonly metrics: Metrics
  readonly tracing?: Tracing | undefined
  readonly product: ProductHooks
  /** Undefined with our own words. */
  readonly kratosTexts?: KratosTexts | undefined
  readonly once: Once
  /** Runs `effect` immediately outside a transaction. */
  readonly afterCommit: (effect: () => void) => void
  /** `undefined` in background work. */
  readonly request?: RequestSource
}

export interface Submission {
  readonly flow_id: string | null
  /** Members of the body, or fields of an HTML form. */
  readonly values: Readonly<Record<string, unknown>>
  /** Why the body could not be parsed. */
  readonly problem?: string
  readonly caller: Caller
  /** Validated before re-authentication. */
  readonly resumed?: true
}

/** Writes check the identity again under a lock. */
export interface StepContext {
  readonly caller: Caller
  readonly subject: Subject | undefined
}

export interface SubmitContext extends StepContext {
  readonly transient_payload: JsonObject
}

export interface Step<K extends FlowKind, Input = unknown> {
  /** Stores values in `flow.memo`, such as a TOTP secret. */
  prepare?(ctx: Context, flow: Flow<K>, scene: StepContext): Flow<K>
  nodes(ctx: Context, flow: Flow<K>, subject: Subject | undefined): readonly UiNode[]
  /** Adds a secret that stored nodes omit. */
  reveal?(ctx: Context, flow: Flow<K>, node: UiNode): UiNode
  /** Defaults to false. */
  claims?(flow: Flow<K>, values: Submission['values'], ctx: Context): Claim
  /** Runs before any effect. Throws `FormError`. */
  parse(ctx: Context, flow: Flow<K>, values: Submission['values'], subject: Subject | undefined): Input
  /** Defaults to `required`. */
  csrf?(flow: Flow<K>, input: Input): CsrfToken
  /** Needs a session within `privileged_session_max_age`. */
  privileged?(ctx: Context, flow: Flow<K>, input: Input, subject: Subject | undefined): boolean
  submit(ctx: Context, flow: Flow<K>, input: Input, scene: SubmitContext): Promise<StepResult<K>>
  /** Kratos compatibility: submissions that get 404 while disabled. The field of `needs` is required first. */
  readonly whenDisabled?: {
    readonly named?: true
    readonly claimed?: true
    needs?(values: Submission['values']): string | undefined
  }
  /** Defaults to the order of the flow kind. */
  arrange?(
    ctx: Context,
    flow: Flow<K>,
    nodes: readonly UiNode[],
    csrf: InputNode,
  ): readonly UiNode[] | undefined
  /** Emails a link with a token rather than a code. */
  readonly byLink?: true
  /** Also appears on the first of two screens. */
  readonly onFirstScreen?: true
  /** In an app's login form, only an error brings a CSRF token. */
  readonly tokenless?: true
  /** Acts without a click if the form offers only this step. */
  autoSubmit?(ctx: Context, flow: Flow<K>): Promise<Flow<K> | undefined>
  /** Handles a provider's response to this browser and flow. */
  handleCallback?(
    ctx: Context,
    flow: Flow<K>,
    answer: URLSearchParams,
    caller: Caller,
  ): Promise<StepResult<K>>
  /** Continues with the proof from a flow of another kind (`Handoff`). */
  continueWith?(ctx: Context, flow: Flow<K>, proof: object): Promise<StepResult<K>>
  /** For a flow that the service opened and stored. Call inside `transact`. Without `mails`, only stores the challenge. */
  challenge?(ctx: Context, flow: Flow<K>, to: ChallengeTarget, mails?: boolean): Promise<string | undefined>
}

/**
 * Whether a submission that does not name the method belongs to the step. `rest` accepts it if no other step does.
 * `never` also rejects one that names the method, as for a second factor in an `aal1` sign-in.
 */
type Claim = boolean | 'rest' | 'never'

/**
 * `none` is for emailed secrets, which may come from any browser. `optional` is for a client that sends no token, so the
 * request's Origin must name an allowed script.
 */
export type CsrfToken = 'required' | 'optional' | 'none'

export interface Strategy {
  readonly id: Method
  readonly group: NodeGroup
  enabled(config: Config, flow: FlowKind): boolean
  /** Not shown again. `cleared` ones also lose their previous value. */
  readonly secretFields?: readonly { readonly name: string; readonly cleared?: true }[]
  readonly admin: CredentialAdmin | undefined
  // biome-ignore lint/suspicious/noExplicitAny: the input goes to the step that parsed it
  readonly steps: { readonly [K in FlowKind]?: Step<K, any> }
  readonly factors?: (credential: Credential, config: Config) => readonly Aal[]
  /** Kratos compatibility: a refused login does not change the identifier's field. */
  readonly leavesIdentifier?: true
  /** Registering proves no address, so signing in could reveal taken ones. */
  readonly registersUnproven?: true
}

/** Steps never build responses. */
export type StepResult<K extends FlowKind> =
  | Finished<K>
  | { readonly kind: 'stay'; readonly flow: Flow<K>; readonly members?: object }
  /** The page script reads the form only on load. */
  | { readonly kind: 'reload'; readonly flow: Flow<K> }
  /** `continuity_token` binds the response to this browser. */
  | {
      readonly kind: 'redirect'
      readonly flow: Flow<K>
      readonly url: string
      readonly continuity_token: string
    }
  | { readonly kind: 'refused'; readonly flow: Flow<K>; readonly error: FormError }
  | Handoff
  | Replacement

/** A sign-in becomes a registration, or the reverse. */
export interface Handoff {
  readonly kind: 'handoff'
  readonly flow: Flow
  readonly into: 'login' | 'registration'
  readonly method: Method
  readonly proof: object
}

export interface Finished<K extends FlowKind> {
  readonly kind: 'completed'
  readonly flow: Flow<K>
  readonly completion: Completion[K]
  /** `flow` no longer contains the proof, so it can be used only once. */
  readonly singleUse?: true
  /** Refunded once the flow is complete. */
  readonly countedAttempt?: CountedAttempt
  readonly token?: SubmittedToken | undefined
  /** For `continueWith` once an app holds the result. Serializable. */
  readonly proof?: object
}

/** A provider's token that a client submitted. Replicas accept it once. */
export interface SubmittedToken {
  /** Without the signature, which may have several encodings. */
  readonly content: string
  /** In milliseconds. */
  readonly lifetime: number
}

export interface Replacement {
  readonly kind: 'replace'
  readonly message: UiText
  readonly expired_at?: string
  /** A browser flow, even for apps. */
  readonly byLink?: true
}

/** The input is what `parse` returns. */
export function step<K extends FlowKind, Input>(_kind: K, cell: Step<NoInfer<K>, Input>): Step<K, Input> {
  return cell
}
