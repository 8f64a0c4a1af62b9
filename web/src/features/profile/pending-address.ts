import type { SettingsFlow } from '@ory/client-fetch'

/** The service's message for an address that waits for its code. */
const PENDING = 1050901

/** The address that replaces the present one as soon as its code was entered. */
export function pendingAddress({ ui }: SettingsFlow): string | undefined {
  const message = ui.nodes.flatMap(({ messages }) => messages).find(({ id }) => id === PENDING)
  const { address } = (message?.context ?? {}) as { address?: string }
  return address
}
