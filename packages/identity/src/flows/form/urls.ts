import { pageUrl, publicUrl } from '../../config/base-url.ts'
import type { Context } from '../../contract/contract.ts'
import type { FlowKind } from '../../wire/flow.ts'

// Attackers may control Host, so URLs use the configuration (SEC-11).

type Configured = Pick<Context, 'config'>

export function actionUrl(ctx: Configured, kind: FlowKind, flowId: string): string {
  return publicUrl(ctx, `/self-service/${kind}?flow=${flowId}`)
}

export function screenUrl(ctx: Configured, kind: FlowKind, flowId: string): string {
  return withQuery(pageUrl(ctx, kind), 'flow', flowId)
}

export function loginUrl(ctx: Configured, query: Readonly<Record<string, string | undefined>>): string {
  const parameters = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const search = parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`
  return publicUrl(ctx, `/self-service/login/browser${search}`)
}

export function errorUrl(ctx: Configured, errorId: string): string {
  return withQuery(pageUrl(ctx, 'error'), 'id', errorId)
}

/** Kratos compatibility: a sorted query, which clients may compare. */
function withQuery(address: string, name: string, value: string): string {
  const url = new URL(address)
  url.searchParams.set(name, value)
  url.searchParams.sort()
  return url.href
}
