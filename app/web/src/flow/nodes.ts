import type { ContinueWith, LoginFlow, UiNode, UiNodeInputAttributes } from '@ory/client-fetch'

export function findInput(
  flow: { ui: { nodes: UiNode[] } },
  name: string,
  type?: UiNodeInputAttributes['type'],
): UiNodeInputAttributes | undefined {
  for (const { attributes } of flow.ui.nodes) {
    if (attributes.node_type !== 'input' || attributes.name !== name) continue
    if (type === undefined || attributes.type === type) return attributes
  }
  return undefined
}

export function offersCode({ ui }: { ui: { nodes: UiNode[] } }): boolean {
  return ui.nodes.some(
    ({ attributes }) =>
      attributes.node_type === 'input' && attributes.name === 'method' && attributes.value === 'code',
  )
}

export function isCodeSent({ state, active }: LoginFlow): boolean {
  return state === 'sent_email' && active === 'code'
}

/** The message is fixed by the specification. Forms show it. */
export class CsrfTokenMissing extends Error {
  override name = 'CsrfTokenMissing'
  constructor() {
    super('CSRF token could not be found in the UI nodes')
  }
}

export function getCsrfToken(flow: { ui: { nodes: UiNode[] } }): string {
  const token = findInput(flow, 'csrf_token')?.value
  if (typeof token !== 'string') throw new CsrfTokenMissing()
  return token
}

/** The verification flow after a registration. One without a URL does not count. */
export function findVerificationId(items: readonly ContinueWith[]): string | undefined {
  for (const item of items) {
    if (item.action !== 'show_verification_ui') continue
    const { id, url } = item.flow
    if (id && url) return id
  }
  return undefined
}

/** The flow after a recovery: settings on success, another recovery on expiry. */
export function findFlowId(
  items: readonly ContinueWith[],
  action: 'show_settings_ui' | 'show_recovery_ui',
): string | undefined {
  for (const item of items) if (item.action === action) return item.flow.id
  return undefined
}

export function findRedirect(items: readonly ContinueWith[]): string | undefined {
  for (const item of items) if (item.action === 'redirect_browser_to') return item.redirect_browser_to
  return undefined
}
