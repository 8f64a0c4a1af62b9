import { pageUrl, publicUrl } from '../../config/base-url.ts'
import type { Context } from '../../contract/contract.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { FlowKind } from '../../wire/flow.ts'

// Every URL that the service sends is built from the configuration only: an attacker may control the Host header
// (SEC-11).

type Configured = Pick<Context, 'config'>

/** The URL that a flow's form is posted to. */
export function actionUrl(ctx: Configured, kind: FlowKind, flowId: string): string {
  return publicUrl(ctx, `/self-service/${kind}?flow=${flowId}`)
}

/** The URL of the page that shows a flow. */
export function screenUrl(ctx: Configured, kind: FlowKind, flowId: string): string {
  return withQuery(pageUrl(ctx, kind), 'flow', flowId)
}

/** Opens a sign-in with the second factor and keeps `return_to`. */
export function secondFactorUrl(ctx: Configured, { return_to }: Pick<Flow, 'return_to'>): string {
  const query = new URLSearchParams({ aal: 'aal2', ...(return_to === undefined ? {} : { return_to }) })
  return publicUrl(ctx, `/self-service/login/browser?${query}`)
}

/** The URL of the page that shows a stored error. */
export function errorUrl(ctx: Configured, errorId: string): string {
  return withQuery(pageUrl(ctx, 'error'), 'id', errorId)
}

/** Kratos compatibility: clients may compare the URL, whose query is sorted. */
function withQuery(address: string, name: string, value: string): string {
  const url = new URL(address)
  url.searchParams.set(name, value)
  url.searchParams.sort()
  return url.href
}
