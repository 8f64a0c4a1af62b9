import type { ContinueWith, LoginFlow, UiNode, UiNodeInputAttributes } from '@ory/client-fetch'

export interface WithNodes {
  readonly ui: { readonly nodes: readonly UiNode[] }
}

export function findInput(
  flow: WithNodes,
  name: string,
  type?: UiNodeInputAttributes['type'],
): UiNodeInputAttributes | undefined {
  for (const { attributes } of flow.ui.nodes) {
    if (attributes.node_type !== 'input' || attributes.name !== name) continue
    if (type === undefined || attributes.type === type) return attributes
  }
  return undefined
}

/** The text in a field. Undefined if it is empty, or the flow lacks it. */
export function textIn(...field: Parameters<typeof findInput>): string | undefined {
  const value: unknown = findInput(...field)?.value
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function offersCode({ ui }: WithNodes): boolean {
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

export function getCsrfToken(flow: WithNodes): string {
  const token = findInput(flow, 'csrf_token')?.value
  if (typeof token !== 'string') throw new CsrfTokenMissing()
  return token
}

/** The verification flow after a registration. One without a URL does not count. */
export function findVerificationId(items: readonly ContinueWith[]): string | undefined {
  for (const item of items) if (item.action === 'show_verification_ui' && item.flow.url) return item.flow.id
  return undefined
}
