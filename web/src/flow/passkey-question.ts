import type { UiNode } from '@ory/client-fetch'
import { findInput } from './inputs.ts'

interface Shown {
  readonly ui: { nodes: UiNode[] }
}

/** What the service asks a passkey, as JSON, where the flow and this browser know passkeys. */
export function passkeyQuestion(flow: Shown | undefined): string | undefined {
  return hasPasskeys() && flow ? textOf(flow, 'passkey_challenge') : undefined
}

/** The same for a passkey that is still to be made. */
export function newPasskeyQuestion(flow: Shown | undefined): string | undefined {
  const text = hasPasskeys() && flow ? textOf(flow, 'passkey_create_data') : undefined
  if (text === undefined) return undefined
  // A registration says beside it which field names the user.
  const { credentialOptions } = JSON.parse(text) as { credentialOptions?: object }
  return credentialOptions ? JSON.stringify(credentialOptions) : text
}

/** Whether this browser knows passkeys. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function'
}

function textOf(flow: Shown, name: string): string | undefined {
  const value: unknown = findInput(flow, name)?.value
  return typeof value === 'string' ? value : undefined
}
