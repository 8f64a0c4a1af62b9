import type { ChallengeTarget } from '../codes/issue.ts'
import type { Config } from '../config/config.ts'
import type { PasswordHasher } from '../crypto/passwords/password-hash.ts'
import type { Secrets } from '../crypto/secrets.ts'
import type { FormError } from '../errors/errors.ts'
import type { CredentialAdmin } from '../identities/credential-admin.ts'
import type { IdentitySchemas } from '../identities/schema/schema.ts'
import type { Subject } from '../identities/subject.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Admission } from '../service/admission.ts'
import type { Background } from '../service/background.ts'
import type { Db } from '../storage/db.ts'
import type { Flow } from '../storage/flows/flows.ts'
import type { Credential } from '../storage/identities/credentials.ts'
import type { StoredIdentity } from '../storage/identities/identities.ts'
import type { Heartbeat } from '../storage/installation.ts'
import type { Counted } from '../storage/limits.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { FlowKind, Method } from '../wire/flow.ts'
import type { InputNode, NodeGroup, UiNode } from '../wire/node.ts'
import type { Aal } from '../wire/session.ts'
import type { UiText } from '../wire/text.ts'
import type { Caller, RequestSource } from './caller.ts'
import type { Done } from './done.ts'
import type { Once } from './once.ts'

/** Structured log: fields first, then the message. Must never receive a secret, a code or a token. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The dependencies of a step. Built once at start, passed as the first argument. */
export interface Context {
  readonly db: Db
  readonly config: Config
  readonly strategies: readonly Strategy[]
  readonly schemas: IdentitySchemas
  readonly secrets: Secrets
  readonly hasher: PasswordHasher
  readonly now: () => Date
  readonly sleep: (milliseconds: number) => Promise<unknown>
  readonly log: Log
  readonly fetch: typeof fetch
  readonly background: Background
  readonly admission: Admission
  readonly heartbeat: Heartbeat
  readonly metrics: Metrics
  /** Undefined while traces are off. */
  readonly tracing?: Tracing | undefined
  /** Caches of this configuration. */
  readonly once: Once
  /** Runs `effect` after the open transaction commits, or immediately outside a transaction. */
  readonly afterCommit: (effect: () => void) => void
  /** The request that this work belongs to; undefined in background work. */
  readonly request?: RequestSource
}

export interface Submission {
  readonly flow_id: string | null
  /** Top-level members of the body, or the fields of an HTML form. */
  readonly values: Readonly<Record<string, unknown>>
  /** Why the body could not be parsed; shown on the form. */
  readonly problem?: string
  readonly caller: Caller
  /** A stored submission that continues after re-authentication: it was validated before. */
  readonly resumed?: true
}

/** The caller, and the identity of a sign-in or a settings flow. Read before the step; writes check it again under a lock. */
export interface StepContext {
  readonly caller: Caller
  readonly subject: Subject | undefined
}

/** What one strategy does in one kind of flow. */
export interface Step<K extends FlowKind, Input = unknown> {
  /** Stores what later requests need in `flow.memo`: a TOTP secret, a WebAuthn challenge. */
  prepare?(ctx: Context, flow: Flow<K>, scene: StepContext): Flow<K>
  /** The nodes that this strategy adds to the form in the flow's current state. */
  nodes(ctx: Context, flow: Flow<K>, subject: Subject | undefined): readonly UiNode[]
  /** Fills in a secret of `flow.memo` when a node is shown: nodes are stored without it. */
  reveal?(ctx: Context, flow: Flow<K>, node: UiNode): UiNode
  /** Takes a submission that names another method or none, such as the code from an emailed link. */
  claims?(flow: Flow<K>, values: Submission['values']): boolean
  /** Whether the step applies to this flow: a second factor does not apply to an `aal1` sign-in. */
  fits?(flow: Flow<K>): boolean
  /** Validates the submission before anything has an effect. Throws `FormError`. */
  parse(ctx: Context, flow: Flow<K>, values: Submission['values'], subject: Subject | undefined): Input
  /** The submission carries an emailed secret, so it needs no CSRF token: it may come from another browser. */
  skipsCsrf?(flow: Flow<K>, input: Input): boolean
  /** Ory's client sends no CSRF token here; the request's Origin must then prove an allowed script. */
  readonly csrfOptional?: true
  /** Changes a credential or an address: requires a session within `privileged_session_max_age`. */
  privileged?(ctx: Context, flow: Flow<K>, input: Input, subject: Subject | undefined): boolean
  submit(ctx: Context, flow: Flow<K>, input: Input, scene: StepContext): Promise<StepResult<K>>
  /** Kratos compatibility: submissions answered with 404 while disabled, and the field that they need before. */
  readonly whenDisabled?: { readonly named?: true; readonly claimed?: true; readonly needs?: string }
  /** Takes a submission that no other step claims, whatever method it names. */
  claimsRest?(flow: Flow<K>, values: Submission['values']): boolean
  /** What an invalid submission of this method changes besides messages. */
  refused?(flow: Flow<K>): Flow<K>
  /** The order of the form while the flow is at this step; that of the kind of flow if undefined. */
  arrange?(
    ctx: Context,
    flow: Flow<K>,
    nodes: readonly UiNode[],
    csrf: InputNode,
  ): readonly UiNode[] | undefined
  /** This method's emails hold a link: the submission that opening it stands for. */
  fromLink?(query: URLSearchParams): Submission['values']
  /** On a form of two screens, this step is also part of the first. */
  readonly onFirstScreen?: true
  /** When the form offers only this step: what pressing its button would do, done without a click. */
  autoSubmit?(ctx: Context, flow: Flow<K>): Promise<Flow<K> | undefined>
  /** If the user proves themselves at another site. */
  readonly provider?: ProviderStep<K>
  /** A flow that the service opens, after a challenge was sent to the address. */
  awaits?(flow: Flow<K>, address: string): Flow<K>
  /** Sends that challenge, once the flow is stored; inside `transact`. Unless it `mails`, it is only stored. */
  challenge?(ctx: Context, flow: Flow<K>, to: ChallengeTarget, mails?: boolean): Promise<string | undefined>
}

/** A method of signing in or of changing an account. A plain object; `strategies/` lists them. */
export interface Strategy {
  readonly id: Method
  readonly group: NodeGroup
  enabled(config: Config, flow: FlowKind): boolean
  /** Fields whose values no form shows again; `cleared` ones also lose the value that they had. */
  readonly secretFields?: readonly { readonly name: string; readonly cleared?: true }[]
  /** Its hidden inputs carry challenges and responses, which are single-use: no form shows them again. */
  readonly singleUseInputs?: true
  /** How operators see and remove its credential, if it stores one. */
  readonly admin: CredentialAdmin | undefined
  // biome-ignore lint/suspicious/noExplicitAny: the input goes to the step that parsed it
  readonly steps: { readonly [K in FlowKind]?: Step<K, any> }
  /** The assurance levels that this credential can reach under the current configuration. */
  readonly factors?: (credential: Credential, config: Config) => readonly Aal[]
  readonly providers?: Providers
  /** An account that registers with it proves no address, so that a sign-in could tell whether one was free. */
  readonly registersUnproven?: true
  /** A second factor that follows from traits and configuration, without a stored credential. */
  readonly isSecondFactorOf?: (ctx: Context, identity: StoredIdentity) => boolean
}

/** How a step ends. A step never builds a response. */
export type StepResult<K extends FlowKind> =
  | Finished<K>
  /** Show the form again (a code was sent). `shown`: members of this response only. */
  | { readonly kind: 'stay'; readonly flow: Flow<K>; readonly shown?: object }
  /** A browser is redirected to the form and loads it again, because a page script must read it anew. */
  | { readonly kind: 'reload'; readonly flow: Flow<K> }
  /** Redirect to a provider. `continuity_cookie` binds the response to this browser. */
  | {
      readonly kind: 'redirect'
      readonly flow: Flow<K>
      readonly url: string
      readonly continuity_cookie: string
    }
  /** The submission is invalid, and the form changes with it. */
  | { readonly kind: 'refused'; readonly flow: Flow<K>; readonly error: FormError }
  | Handoff
  | Replacement

/** A sign-in that turns out to be a registration, or the reverse: a flow of that kind takes the proof. */
export interface Handoff {
  readonly kind: 'handoff'
  readonly flow: Flow
  readonly into: 'login' | 'registration'
  readonly method: Method
  readonly proof: object
}

export interface Finished<K extends FlowKind> {
  readonly kind: 'done'
  readonly flow: Flow<K>
  readonly done: Done[K]
  /** The proof was removed from `flow`: of concurrent submissions only one can use it. */
  readonly singleUse?: true
  /** What the guess was counted as: returned once the flow is complete. */
  readonly counted?: Counted
}

/** This flow cannot continue: a new one replaces it, with the reason as its message. */
export interface Replacement {
  readonly kind: 'replace'
  readonly message: UiText
  readonly expired_at?: string
  /** The user opened an emailed link: the replacement is a browser flow, even if an app started the first. */
  readonly byLink?: true
}

/** Ties the type of `parse`'s result to `submit`'s input. */
export function step<K extends FlowKind, Input>(_kind: K, cell: Step<K, Input>): Step<K, Input> {
  return cell
}

// What a strategy adds to the contract if its users prove themselves at another site.

/** The strategy's own part. */
export interface Providers {
  /** The flow that an authorization response belongs to. Throws `ProtocolError` 400 for an unknown state. */
  findAuthorization(
    ctx: Context,
    answer: URLSearchParams,
    provider: string | undefined,
  ): { readonly kind: 'login' | 'registration' | 'settings'; readonly flow_id: string }
  readonly federation: Federation
}

/** The part of its step in one kind of flow: handles the response of a provider that the browser was redirected to. */
export interface ProviderStep<K extends FlowKind> {
  /** Throws `ProtocolError` 400 if another browser or flow started the authorization. Has no effects. */
  assertOwn(ctx: Context, flow: Flow<K>, answer: URLSearchParams, caller: Caller): void
  arrive(ctx: Context, flow: Flow<K>, answer: URLSearchParams, caller: Caller): Promise<StepResult<K>>
  /** Continues a flow of this kind with what a flow of the other kind has proven (`Handoff`). */
  resumeWith?(ctx: Context, flow: Flow<K>, proof: object): Promise<StepResult<K>>
}

/** Sign-in through the browser's own account chooser (FedCM). */
export interface Federation {
  providers(ctx: Context, csrfSecret: string): readonly object[]
  /** Verifies the token and returns the proof for `ProviderStep.resumeWith`. Throws `ProtocolError`. */
  verify(ctx: Context, token: string, csrfSecret: string): Promise<object>
}
