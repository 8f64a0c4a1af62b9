import type { SettingsFlow } from '@ory/client-fetch'
import type { KnownCredentials } from '../../account/use-credentials.ts'
import { securityTexts } from '../../texts/security.ts'

export interface Passkey {
  /** As the form names it: hexadecimal. */
  readonly id: string
  readonly name: string
  /** Both as ISO 8601 has them. */
  readonly createdAt: string | undefined
  readonly lastUsedAt: string | undefined
  /** The password manager or device that keeps it. */
  readonly keptBy: string | undefined
  /** Without it nothing is left to sign in with. */
  readonly isLast: boolean
}

/** The passkeys that a flow can remove, with what the product knows beyond the protocol. */
export function passkeysOf({ ui }: SettingsFlow, known: KnownCredentials | undefined): Passkey[] {
  return ui.nodes.flatMap(({ attributes, meta }) => {
    if (attributes.node_type !== 'input' || attributes.name !== 'passkey_remove') return []
    const id = String(attributes.value)
    const more = known?.passkeys.find((passkey) => passkey.id === id)
    const { display_name, added_at } = (meta.label?.context ?? {}) as {
      display_name?: string
      added_at?: string
    }
    const given = more?.name ?? (display_name === UNNAMED ? undefined : display_name)
    return {
      id,
      name: given ?? more?.kept_by ?? securityTexts.passkeys.unnamed,
      createdAt: more?.created_at ?? added_at,
      lastUsedAt: more?.last_used_at,
      keptBy: more?.kept_by,
      isLast: attributes.disabled === true,
    }
  })
}

/** What the protocol calls every passkey. */
const UNNAMED = 'unnamed'
