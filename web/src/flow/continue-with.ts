import type { ContinueWith } from '@ory/client-fetch'

/** The verification flow that a registration leads to; it needs a URL and an id. */
export function findVerificationFlow(
  items: readonly ContinueWith[],
): { id: string; url: string } | undefined {
  for (const item of items) {
    if (item.action !== 'show_verification_ui') continue
    const { id, url } = item.flow
    if (id && url) return { id, url }
  }
  return undefined
}
