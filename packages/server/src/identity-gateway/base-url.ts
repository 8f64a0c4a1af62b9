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
  let asking: Promise<void> | undefined
  let askedAt = Number.NEGATIVE_INFINITY

  async function ask(): Promise<void> {
    askedAt = now().getTime()
    // The request that caused this reports the failure.
    baseUrl = await openLogin().then(readBaseUrl, () => undefined)
  }

  return async () => {
    if (baseUrl === undefined && now().getTime() - askedAt > askAgainAfterMs) {
      asking ??= ask().finally(() => {
        asking = undefined
      })
    }
    await asking
    return baseUrl ?? identity_url
  }
}

const loginFlow = z.object({ ui: z.object({ action: z.url({ protocol: /^https?$/ }) }) })

/** Without a trailing slash. */
function readBaseUrl(flow: unknown): string | undefined {
  const { data } = loginFlow.safeParse(flow)
  return data && /^(.*)\/self-service\/login(?:\?|$)/.exec(data.ui.action)?.[1]
}
