import type { Flow } from '../storage/flows/flows.ts'
import type { FlowKind } from '../wire/flow.ts'
import type { Caller } from './caller.ts'
import type { Context, StepResult } from './contract.ts'

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
