import type { ContinueWith } from '@ory/client-fetch'

/** The id of the verification flow that a registration leads to; one without a URL does not count. */
export function findVerificationId(items: readonly ContinueWith[]): string | undefined {
  for (const item of items) {
    if (item.action !== 'show_verification_ui') continue
    const { id, url } = item.flow
    if (id && url) return id
  }
  return undefined
}

/** The id of the flow that follows a recovery: settings after a success, another recovery after an expiry. */
export function findFlowId(
  items: readonly ContinueWith[],
  action: 'show_settings_ui' | 'show_recovery_ui',
): string | undefined {
  for (const item of items) if (item.action === action) return item.flow.id
  return undefined
}

/** Where the service redirects the browser after a success. */
export function findRedirect(items: readonly ContinueWith[]): string | undefined {
  for (const item of items) if (item.action === 'redirect_browser_to') return item.redirect_browser_to
  return undefined
}
