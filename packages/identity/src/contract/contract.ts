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

/** Structured log. Must never receive a secret, code or token. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The dependencies of a step. Built once at start. */
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
  /** `undefined` while traces are off. */
  readonly tracing?: Tracing | undefined
  readonly once: Once
  /** Runs `effect` after the open transaction commits, or immediately outside a transaction. */
  readonly afterCommit: (effect: () => void) => void
  /** `undefined` in background work. */
  readonly request?: RequestSource
}

export interface Submission {
  readonly flow_id: string | null
  /** Top-level members of the body, or the fields of an HTML form. */
  readonly values: Readonly<Record<string, unknown>>
  /** The parse error of the body, shown on the form. */
  readonly problem?: string
  readonly caller: Caller
  /** A validated submission that continues after re-authentication. */
  readonly resumed?: true
}

/** Read before the step. Writes check the identity again under a lock. */
export interface StepContext {
  readonly caller: Caller
  readonly subject: Subject | undefined
}

/** One strategy's part in one kind of flow. */
export interface Step<K extends FlowKind, Input = unknown> {
  /** Stores values for later requests in `flow.memo`, such as a TOTP secret. */
  prepare?(ctx: Context, flow: Flow<K>, scene: StepContext): Flow<K>
  /** Returns the nodes for the flow's current state. */
  nodes(ctx: Context, flow: Flow<K>, subject: Subject | undefined): readonly UiNode[]
  /** Adds a secret of `flow.memo` to a shown node. Stored nodes omit it. */
  reveal?(ctx: Context, flow: Flow<K>, node: UiNode): UiNode
  /** Accepts a submission without this method's name, such as the code from an emailed link. */
  claims?(flow: Flow<K>, values: Submission['values']): boolean
  /** Returns false for a second factor in an `aal1` sign-in, for example. */
  fits?(flow: Flow<K>): boolean
  /** Validates the submission before anything has an effect. Throws `FormError`. */
  parse(ctx: Context, flow: Flow<K>, values: Submission['values'], subject: Subject | undefined): Input
  /** Allows other browsers to submit an emailed secret without a CSRF token. */
  skipsCsrf?(flow: Flow<K>, input: Input): boolean
  /** Ory's client sends no CSRF token here. The request's Origin must name an allowed script instead. */
  readonly csrfOptional?: true
  /** Returns true for changes that need a session within `privileged_session_max_age`. */
  privileged?(ctx: Context, flow: Flow<K>, input: Input, subject: Subject | undefined): boolean
  submit(ctx: Context, flow: Flow<K>, input: Input, scene: StepContext): Promise<StepResult<K>>
  /** Kratos compatibility: submissions that get 404 while disabled. `needs` names a field that is required first. */
  readonly whenDisabled?: { readonly named?: true; readonly claimed?: true; readonly needs?: string }
  /** Accepts a submission that no other step claims. */
  claimsRest?(flow: Flow<K>, values: Submission['values']): boolean
  /** Changes the flow after an invalid submission. */
  refused?(flow: Flow<K>): Flow<K>
  /** Orders the form at this step. Without a result, the flow kind decides. */
  arrange?(
    ctx: Context,
    flow: Flow<K>,
    nodes: readonly UiNode[],
    csrf: InputNode,
  ): readonly UiNode[] | undefined
  /** The submission that an emailed link stands for. */
  fromLink?(query: URLSearchParams): Submission['values']
  /** On a two-screen form, this step is also part of the first screen. */
  readonly onFirstScreen?: true
  /** Acts without a click if the form offers only this step. */
  autoSubmit?(ctx: Context, flow: Flow<K>): Promise<Flow<K> | undefined>
  /** For users who authenticate at another site. */
  readonly provider?: ProviderStep<K>
  /** Prepares a flow that the service opens after sending a challenge to the address. */
  awaits?(flow: Flow<K>, address: string): Flow<K>
  /** Sends that challenge once the flow is stored, inside `transact`. Only stores it unless `mails` is set. */
  challenge?(ctx: Context, flow: Flow<K>, to: ChallengeTarget, mails?: boolean): Promise<string | undefined>
}

/** A method of signing in or changing an account, listed in `strategies/`. */
export interface Strategy {
  readonly id: Method
  readonly group: NodeGroup
  enabled(config: Config, flow: FlowKind): boolean
  /** Fields that no form shows again. `cleared` ones also lose their previous value. */
  readonly secretFields?: readonly { readonly name: string; readonly cleared?: true }[]
  /** Hidden inputs carry single-use challenges and responses, which no form shows again. */
  readonly singleUseInputs?: true
  /** How operators see and remove the credential. */
  readonly admin: CredentialAdmin | undefined
  // biome-ignore lint/suspicious/noExplicitAny: the input goes to the step that parsed it
  readonly steps: { readonly [K in FlowKind]?: Step<K, any> }
  /** Levels that this credential can reach under the current configuration. */
  readonly factors?: (credential: Credential, config: Config) => readonly Aal[]
  readonly providers?: Providers
  /** A registration with this method proves no address, so signing in could reveal taken addresses. */
  readonly registersUnproven?: true
  /** For second factors derived from traits and configuration, without a credential. */
  readonly isSecondFactorOf?: (ctx: Context, identity: StoredIdentity) => boolean
}

/** Steps never build responses. */
export type StepResult<K extends FlowKind> =
  | Finished<K>
  /** Shows the form again. `shown` holds members of this response only. */
  | { readonly kind: 'stay'; readonly flow: Flow<K>; readonly shown?: object }
  /** Redirects a browser to the form, so that the page script reads it again. */
  | { readonly kind: 'reload'; readonly flow: Flow<K> }
  /** Redirects to a provider. `continuity_cookie` binds the response to this browser. */
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

/** A sign-in that turns out to be a registration, or the reverse. The other flow takes the proof. */
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
  /** `flow` no longer contains the proof, so only one of several submissions can use it. */
  readonly singleUse?: true
  /** The budget of the guess, refunded once the flow is complete. */
  readonly counted?: Counted
}

/** A new flow replaces this one, with the reason as its message. */
export interface Replacement {
  readonly kind: 'replace'
  readonly message: UiText
  readonly expired_at?: string
  /** The user opened an emailed link. The replacement is a browser flow, even for an app's flow. */
  readonly byLink?: true
}

/** Ties the type of `parse`'s result to `submit`'s input. */
export function step<K extends FlowKind, Input>(_kind: K, cell: Step<K, Input>): Step<K, Input> {
  return cell
}

// For strategies whose users authenticate at another site.

export interface Providers {
  /** Throws `ProtocolError` 400 for an unknown state. */
  findAuthorization(
    ctx: Context,
    answer: URLSearchParams,
    provider: string | undefined,
  ): { readonly kind: 'login' | 'registration' | 'settings'; readonly flow_id: string }
  readonly federation: Federation
}

/** Handles the response of a provider in one kind of flow. */
export interface ProviderStep<K extends FlowKind> {
  /** Throws `ProtocolError` 400 if another browser or flow started the authorization. Has no effects. */
  assertOwn(ctx: Context, flow: Flow<K>, answer: URLSearchParams, caller: Caller): void
  arrive(ctx: Context, flow: Flow<K>, answer: URLSearchParams, caller: Caller): Promise<StepResult<K>>
  /** Continues with the proof from a flow of another kind (`Handoff`). */
  resumeWith?(ctx: Context, flow: Flow<K>, proof: object): Promise<StepResult<K>>
}

/** Sign-in through the browser's account chooser (FedCM). */
export interface Federation {
  providers(ctx: Context, csrfSecret: string): readonly object[]
  /** Verifies the token and returns the proof for `ProviderStep.resumeWith`. Throws `ProtocolError`. */
  verify(ctx: Context, token: string, csrfSecret: string): Promise<object>
}
