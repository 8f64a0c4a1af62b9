import type { Context } from '../contract.ts'

/** Which other service is called; for a provider also its id in the configuration. */
export interface Target {
  readonly target: 'provider' | 'web_hook' | 'breached_passwords'
  readonly provider?: string
}

/** `ctx.fetch` for calls of one kind of service: measures them until the headers of the response have arrived. */
export function fetchOf({ fetch, metrics }: Context, target: Target): typeof fetch {
  return async (input, init) => {
    const started = performance.now()
    let status = 'failed'
    try {
      const response = await fetch(input, init)
      status = String(response.status)
      return response
    } finally {
      const seconds = (performance.now() - started) / 1000
      metrics.observe('identity_outgoing_request_duration_seconds', { ...target, status }, seconds)
    }
  }
}
