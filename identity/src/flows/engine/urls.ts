import { publicUrl } from '../../config/base-url.ts'
import type { Context } from '../../contract.ts'
import type { FlowKind } from '../../wire/flow.ts'

// Every URL that the service sends is built here, from the configuration only: an attacker may control the Host header
// (SEC-11).

type Configured = Pick<Context, 'config'>

/** The URL that a flow's form is posted to. */
export function actionUrl(ctx: Configured, kind: FlowKind, flowId: string): string {
  return publicUrl(ctx, `/self-service/${kind}?flow=${flowId}`)
}

/** The URL of a flow's page. */
export function screenUrl(ctx: Configured, kind: FlowKind, flowId: string): string {
  return withQuery(ctx, ctx.config.selfservice.flows[kind].ui_url, 'flow', flowId)
}

/** The URL of the page that shows a stored error. */
export function errorUrl(ctx: Configured, errorId: string): string {
  return withQuery(ctx, ctx.config.selfservice.flows.error.ui_url, 'id', errorId)
}

/** Kratos compatibility: clients may compare the URL, whose query is sorted. */
function withQuery(ctx: Configured, address: string, name: string, value: string): string {
  const url = new URL(address, ctx.config.serve.public.base_url)
  url.searchParams.set(name, value)
  url.searchParams.sort()
  return url.href
}
