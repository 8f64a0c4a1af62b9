import type { Admission } from './admission.ts'
import type { Background } from './background.ts'
import type { Caller, RequestSource } from './caller.ts'
import type { Config } from './config.ts'
import type { PasswordHasher } from './crypto/password-hash.ts'
import type { Secrets } from './crypto/secrets.ts'
import type { Done } from './done.ts'
import type { FormError } from './errors.ts'
import type { IdentitySchemas } from './identities/schema.ts'
import type { Credential } from './storage/credentials.ts'
import type { Db } from './storage/db.ts'
import { withTransaction } from './storage/db.ts'
import type { Flow } from './storage/flows.ts'
import type { StoredIdentity } from './storage/identities.ts'
import type { Heartbeat } from './storage/installation.ts'
import type { FlowKind, Method } from './wire/flow.ts'
import type { NodeGroup, UiNode } from './wire/node.ts'
import type { Aal } from './wire/session.ts'
import type { UiText } from './wire/text.ts'

/** What is known first, then the sentence. Never a secret, a code or a token. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Everything a step may need from the outside world. Built once, passed first. */
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
  /** Runs `effect` once the open transaction has committed, at once where none is open. */
  readonly afterCommit: (effect: () => void) => void
  /** The request that this work belongs to; absent in background work. */
  readonly request?: RequestSource
}

/** What the caller sent, as plain data. */
export interface Submission {
  readonly flow_id: string | null
  /** Top-level members of the body, or the fields of an HTML form. */
  readonly values: Readonly<Record<string, unknown>>
  /** Why the body could not be read; shown on the form. */
  readonly problem?: string
  readonly caller: Caller
  /** It was sent, checked and kept before, until its sender had confirmed who they are. */
  readonly resumed?: true
}

/** What one strategy does in one flow. */
export interface Step<K extends FlowKind, Input = unknown> {
  /** Puts what later requests need into `flow.memo`: a TOTP secret, a WebAuthn challenge. */
  prepare?(ctx: Context, flow: Flow<K>, caller: Caller): Promise<Flow<K>>
  /** What this strategy adds to the form in the flow's present state. */
  nodes(ctx: Context, flow: Flow<K>): readonly UiNode[] | Promise<readonly UiNode[]>
  /** Puts a secret of `flow.memo` into a node of this strategy, which is stored without it, as it is shown. */
  reveal?(ctx: Context, flow: Flow<K>, node: UiNode): UiNode
  /** Takes a submission that names another method, or none (the code of a mailed link). */
  claims?(flow: Flow<K>, values: Submission['values']): boolean
  /** Whether it has a part in this flow at all: a second factor has none where the first is asked for. */
  fits?(flow: Flow<K>): boolean
  /** What it reads from a submission, before anything has an effect. Throws `FormError`. */
  parse(ctx: Context, flow: Flow<K>, values: Submission['values']): Input | Promise<Input>
  /** The submission holds a mailed secret, so it needs no CSRF token: a mail may be opened elsewhere. */
  skipsCsrf?(flow: Flow<K>, input: Input): boolean
  /** Ory's client leaves the CSRF token out here: without one the word of a browser for its script's origin counts. */
  readonly csrfOptional?: true
  /** It changes how somebody signs in or is reached: only who proved lately who they are may do so. */
  privileged?(ctx: Context, flow: Flow<K>, input: Input): boolean | Promise<boolean>
  submit(ctx: Context, flow: Flow<K>, input: Input, caller: Caller): Promise<StepResult<K>>
  /** Takes what no other step takes, whatever method it names. */
  claimsRest?(flow: Flow<K>): boolean
  /** In a form of two screens this belongs to the first too. */
  readonly first_screen?: true
  /** The form offers this one way only: what its button would do, so that nobody has to press it. */
  autoSubmit?(ctx: Context, flow: Flow<K>): Promise<Flow<K> | undefined>
  /** How somebody comes back from a provider. */
  readonly callback?: ProviderCallback<K>
  /** Goes on with what was proven in a flow of another kind, which turned out to be this one (`become`). */
  resumeWith?(ctx: Context, flow: Flow<K>, proof: object, caller: Caller): Promise<StepResult<K>>
  /** Sends its challenge in a flow that the service itself opened; inside `transact`. To nobody it only seems to. */
  challenge?(ctx: Context, flow: Flow<K>, to: ChallengeTarget | ToNobody): Promise<Flow<K>>
}

/** Somebody who left for a provider is sent back with an answer. */
export interface ProviderCallback<K extends FlowKind> {
  /** Throws `ProtocolError` 400 where this browser did not leave from this flow. Nothing has happened until then. */
  assertOwn(ctx: Context, flow: Flow<K>, answer: URLSearchParams, caller: Caller): void
  arrive(ctx: Context, flow: Flow<K>, answer: URLSearchParams, caller: Caller): Promise<StepResult<K>>
}

export type ToNobody = Pick<ChallengeTarget, 'address'>

export interface ChallengeTarget {
  readonly address: string
  readonly address_id?: string
  readonly identity_id: string
}

/** A way to prove or change something. A plain object; the folder listing is the matrix of cells. */
export interface Strategy {
  readonly id: Method
  readonly group: NodeGroup
  enabled(config: Config, flow: FlowKind): boolean
  // biome-ignore lint/suspicious/noExplicitAny: the engine parses an input before it hands it to the same step
  readonly steps: { readonly [K in FlowKind]?: Step<K, any> }
  /** Which assurance this credential can give, as things are switched. */
  readonly factors?: (credential: Credential, config: Config) => readonly Aal[]
  /** The flow that an authorization response belongs to. Throws `ProtocolError` 400 for an unknown state. */
  readonly findAuthorization?: (
    ctx: Context,
    answer: URLSearchParams,
    provider: string | undefined,
  ) => { readonly kind: 'login' | 'registration' | 'settings'; readonly flow_id: string }
  /** Signing in by the browser's own dialog (FedCM). */
  readonly federation?: Federation
  /** A second factor that people have by their traits alone: it comes and goes with the configuration. */
  readonly isSecondFactorOf?: (ctx: Context, identity: StoredIdentity) => boolean
}

/** What the browser's own dialog needs, and what it brings. */
export interface Federation {
  providers(ctx: Context, csrfSecret: string): readonly object[]
  /** What the token proves, for `Step.resumeWith`. Throws `ProtocolError`. */
  verify(ctx: Context, token: string, csrfSecret: string): Promise<object>
}

/** How a step ends. It never touches the answer. */
export type StepResult<K extends FlowKind> =
  | Finished<K>
  /** Show the form again (a code was sent), with members that belong to this one answer. */
  | { readonly kind: 'stay'; readonly flow: Flow<K>; readonly shown?: object }
  /** The page must load the form again, with a script that looks at it; a script of the page is told so. */
  | { readonly kind: 'reload'; readonly flow: Flow<K> }
  /** Redirect to a provider. `authorization_cookie` binds the response to this browser. */
  | {
      readonly kind: 'redirect'
      readonly flow: Flow<K>
      readonly url: string
      readonly authorization_cookie: string
    }
  /** Something must be mended, and the form changes with it. */
  | { readonly kind: 'refused'; readonly flow: Flow<K>; readonly error: FormError }
  | Handoff
  | Replacement

/** A sign-in that turns out to be a sign-up, or back: a flow of that kind goes on with what was proven. */
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
  /** What was proven stood in the flow and is no longer in `flow`: it counts once, however many send it at a time. */
  readonly once?: true
}

/** This flow cannot go on; a new one takes its place and says why. */
export interface Replacement {
  readonly kind: 'replace'
  readonly message: UiText
  /** Set when something in the flow was over, and since when. */
  readonly expired_at?: string
  /** A link from a mail was opened, so a browser is there, whoever began: it goes on with a form of its own. */
  readonly by_link?: true
}

/** Ties what `parse` gives to `submit`. */
export function step<K extends FlowKind, Input>(_kind: K, cell: Step<K, Input>): Step<K, Input> {
  return cell
}

/**
 * Runs database work as one transaction. The inner context shadows the outer on purpose: on SQLite the outer
 * database waits for this transaction. `work` may run again after a conflict, so it holds nothing but database work.
 */
export async function transact<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return await work(ctx)
  let effects: (() => void)[] = []
  const result = await withTransaction(ctx.db, (db) => {
    effects = []
    return work({ ...ctx, db, afterCommit: (effect) => void effects.push(effect) })
  })
  for (const effect of effects) effect()
  return result
}
