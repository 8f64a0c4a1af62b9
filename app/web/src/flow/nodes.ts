import type { ContinueWith, LoginFlow, UiNode, UiNodeInputAttributes } from '@ory/client-fetch'

/** The flow's first input of that name: the one that carries values and messages. */
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

/** Whether the flow sends codes by email: a button that names the method says so. */
export function offersCode({ ui }: { ui: { nodes: UiNode[] } }): boolean {
  return ui.nodes.some(
    ({ attributes }) =>
      attributes.node_type === 'input' && attributes.name === 'method' && attributes.value === 'code',
  )
}

/** The flow waits for the code of a sign-in. */
export function isCodeSent({ state, active }: LoginFlow): boolean {
  return state === 'sent_email' && active === 'code'
}

/** Its message is the specification's; forms show it as it is. */
export class CsrfTokenMissing extends Error {
  override name = 'CsrfTokenMissing'
  constructor() {
    super('CSRF token could not be found in the UI nodes')
  }
}

/** The token that every submission of a browser flow carries. */
export function getCsrfToken(flow: { ui: { nodes: UiNode[] } }): string {
  const token = findInput(flow, 'csrf_token')?.value
  if (typeof token !== 'string') throw new CsrfTokenMissing()
  return token
}

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
