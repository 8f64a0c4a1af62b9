import type { WithNodes } from './nodes.ts'

export interface OfferedProvider {
  readonly id: string
  /** Such as GitHub, if the service says it. */
  readonly name: string | undefined
}

export function providersOf(
  flow: WithNodes,
  field: 'provider' | 'link' | 'unlink' = 'provider',
): OfferedProvider[] {
  return flow.ui.nodes.flatMap(({ attributes, meta: { label } }) => {
    if (attributes.node_type !== 'input' || attributes.name !== field) return []
    const { provider } = (label?.context ?? {}) as { provider?: string }
    return [{ id: String(attributes.value), name: provider }]
  })
}
