import { textIn, type WithNodes } from './nodes.ts'

/** The passkey options as JSON, if the flow and this browser support passkeys. */
export function findPasskeyRequestOptions(flow: WithNodes | undefined): string | undefined {
  return hasPasskeys() && flow ? textIn(flow, 'passkey_challenge') : undefined
}

export function findPasskeyCreationOptions(flow: WithNodes | undefined): string | undefined {
  const text = hasPasskeys() && flow ? textIn(flow, 'passkey_create_data') : undefined
  if (text === undefined) return undefined
  const { credentialOptions } = JSON.parse(text) as CreateData
  return credentialOptions ? JSON.stringify(credentialOptions) : text
}

/** A registration wraps the options to name the field of the user's name. */
interface CreateData {
  readonly credentialOptions?: object
  readonly displayNameFieldName?: string
}

/** The field with the name of a new user's passkey. */
export function passkeyNameField(flow: WithNodes): string | undefined {
  return (JSON.parse(textIn(flow, 'passkey_create_data') ?? '{}') as CreateData).displayNameFieldName
}

export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function'
}

/** Whatever this browser supports. */
export function offersPasskeys(flow: WithNodes): boolean {
  return (textIn(flow, 'passkey_challenge') ?? textIn(flow, 'passkey_create_data')) !== undefined
}
