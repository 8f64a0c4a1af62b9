import type { Context } from '../../contract.ts'
import type { FlowKind } from '../../wire/flow.ts'

// Every address that leaves the service is built here, from configuration only: what a request says of its host
// may be an attacker's (SEC-11).

type Configured = Pick<Context, 'config'>

/** An address below `serve.public.base_url`. */
export function publicUrl(ctx: Configured, path: string): string {
  return ctx.config.serve.public.base_url.replace(/\/$/, '') + path
}

/** Where a flow's form is posted. */
export function actionUrl(ctx: Configured, kind: FlowKind, flowId: string): string {
  return publicUrl(ctx, `/self-service/${kind}?flow=${flowId}`)
}

/** The screen of a flow. */
export function screenUrl(ctx: Configured, kind: FlowKind, flowId: string): string {
  return withQuery(ctx, ctx.config.selfservice.flows[kind].ui_url, 'flow', flowId)
}

/** The screen that shows a stored error. */
export function errorUrl(ctx: Configured, errorId: string): string {
  return withQuery(ctx, ctx.config.selfservice.flows.error.ui_url, 'id', errorId)
}

function withQuery(ctx: Configured, address: string, name: string, value: string): string {
  const url = new URL(address, ctx.config.serve.public.base_url)
  url.searchParams.set(name, value)
  return url.toString()
}
