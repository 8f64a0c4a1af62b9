import type { SettingsFlow } from '@ory/client-fetch'
import * as messageIds from '../../flow/message-ids.ts'

/** The address that replaces the present one as soon as its code was entered. */
export function pendingAddress({ ui }: SettingsFlow): string | undefined {
  const message = ui.nodes
    .flatMap(({ messages }) => messages)
    .find(({ id }) => id === messageIds.addressPending)
  const { address } = (message?.context ?? {}) as { address?: string }
  return address
}
