import type { Context } from '../contract/contract.ts'
import { tracedCall } from '../tracing/tracing.ts'

export interface Target {
  readonly target: 'provider' | 'web_hook' | 'breached_passwords' | 'oauth2_provider'
  readonly provider?: string
}

export function fetchOf(ctx: Context, target: Target): typeof fetch {
  const { metrics, tracing } = ctx
  const measured: typeof fetch = async (input, init) => {
    const started = performance.now()
    let status = 'failed'
    try {
      const response = await ctx.fetch(input, init)
      status = String(response.status)
      return response
    } finally {
      const seconds = (performance.now() - started) / 1000
      metrics.observe('identity_outgoing_request_duration_seconds', { ...target, status }, seconds)
    }
  }
  if (!tracing) return measured
  return (input, init = {}) => {
    const { url, method } = input instanceof Request ? input : { url: input, method: init.method ?? 'GET' }
    const call = () =>
      // Third parties must not see traces.
      measured(input, target.target === 'web_hook' ? withHeaders(init, tracing.headers()) : init)
    return tracedCall(tracing, { ...target, method, url }, call, ({ status }) => status)
  }
}

/** Undefined unless the network failed. */
export function failureCode(error: unknown): string | undefined {
  const { code } = (error instanceof Error && error.cause instanceof Error ? error.cause : error) as {
    readonly code?: unknown
  }
  return typeof code === 'string' ? code : undefined
}

/** `fetch` quotes headers and URLs, which may contain secrets. */
export function failureReason(error: unknown): string {
  const code = failureCode(error)
  if (code !== undefined) return code
  if (!(error instanceof Error)) return 'unknown'
  return error instanceof TypeError ? error.name : error.message
}

/** Keeps a configured header. */
function withHeaders(init: RequestInit, added: Readonly<Record<string, string>>): RequestInit {
  return { ...init, headers: { ...added, ...Object.fromEntries(new Headers(init.headers)) } }
}
