import type { SettingsFlow } from '@ory/client-fetch'
import type { KnownCredentials } from '../../account/use-known-credentials.ts'
import { securityTexts } from '../../texts/security.ts'

export interface Passkey {
  /** Hexadecimal, as in the form. */
  readonly id: string
  readonly name: string
  /** ISO 8601, like `lastUsedAt`. */
  readonly createdAt: string | undefined
  readonly lastUsedAt: string | undefined
  /** The password manager or device that keeps it. */
  readonly keptBy: string | undefined
  /** The only credential: it cannot be removed. */
  readonly isLast: boolean
}

/** The passkeys that a flow can remove, with the product's own details. */
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

/** The protocol's name for every passkey. */
const UNNAMED = 'unnamed'
