import type { LoginFlow } from '@ory/client-fetch'
import * as messageIds from '../../flow/message-ids.ts'
import { findMessage } from '../../flow/messages.ts'

interface Link {
  readonly duplicate_identifier: string
  readonly provider: string
}

/** Which address already has an account, and which provider to connect; only the first message says so. */
export function linkOf(flow: LoginFlow): Link | undefined {
  return findMessage(flow, messageIds.signInToLink)?.context as Link | undefined
}

/** Whether signing in here connects a provider: its button remains after errors. */
export function isLinking(flow: LoginFlow): boolean {
  return (
    linkOf(flow) !== undefined ||
    flow.ui.nodes.some(({ meta }) => meta.label?.id === messageIds.signInAndLink)
  )
}
