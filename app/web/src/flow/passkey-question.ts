import type { UiNode } from '@ory/client-fetch'
import { findInput } from './nodes.ts'

interface Shown {
  readonly ui: { nodes: UiNode[] }
}

/** The passkey options as JSON, if the flow and this browser support passkeys. */
export function passkeyQuestion(flow: Shown | undefined): string | undefined {
  return hasPasskeys() && flow ? textOf(flow, 'passkey_challenge') : undefined
}

export function newPasskeyQuestion(flow: Shown | undefined): string | undefined {
  const text = hasPasskeys() && flow ? textOf(flow, 'passkey_create_data') : undefined
  if (text === undefined) return undefined
  // A registration wraps them to name the field of the user's name.
  const { credentialOptions } = JSON.parse(text) as { credentialOptions?: object }
  return credentialOptions ? JSON.stringify(credentialOptions) : text
}

export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function'
}

/** To log in, whatever this browser supports. */
export function offersPasskeys(flow: Shown): boolean {
  return textOf(flow, 'passkey_challenge') !== undefined
}

function textOf(flow: Shown, name: string): string | undefined {
  const value: unknown = findInput(flow, name)?.value
  return typeof value === 'string' ? value : undefined
}
