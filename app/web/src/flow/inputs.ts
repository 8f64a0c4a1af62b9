import type { LoginFlow, UiNode, UiNodeInputAttributes } from '@ory/client-fetch'

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
