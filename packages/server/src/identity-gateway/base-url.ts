import { shareRun } from '@ostiary/identity/serving'
import { z } from 'zod'

const askAgainAfterMs = 1_000

/**
 * Reads `serve.public.base_url` once from a login flow: no other public response contains it. Until then,
 * returns the URL at which we reach the service.
 */
export function createBaseUrl(
  identity_url: string,
  openLogin: () => Promise<unknown>,
  now: () => Date,
): () => Promise<string> {
  let baseUrl: string | undefined
  let fetchedAt = Number.NEGATIVE_INFINITY
  const fetchBaseUrl = shareRun(async () => {
    // The request that caused this reports the failure.
    baseUrl = await openLogin().then(readBaseUrl, () => undefined)
    fetchedAt = now().getTime()
  })
  return async () => {
    if (baseUrl === undefined && now().getTime() - fetchedAt > askAgainAfterMs) await fetchBaseUrl()
    return baseUrl ?? identity_url
  }
}

const loginFlow = z.object({ ui: z.object({ action: z.url({ protocol: /^https?$/ }) }) })

/** Without a trailing slash. */
function readBaseUrl(flow: unknown): string | undefined {
  const { data } = loginFlow.safeParse(flow)
  return data && /^(.*)\/self-service\/login(?:\?|$)/.exec(data.ui.action)?.[1]
}
