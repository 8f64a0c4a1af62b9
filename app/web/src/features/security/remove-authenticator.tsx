import { Removal } from '../../account/removal.tsx'
import type { SettingsUse } from '../../account/use-save.ts'
import { openedTexts } from '../../texts/security-opened.ts'

interface RemoveAuthenticatorProps {
  settings: SettingsUse
  hasCodes: boolean
  onRemoved(): void
  onCancel(): void
}

const texts = openedTexts.authenticator

/** Asks before the second factor is removed; backup codes alone would lock the user out once they are used up. */
export function RemoveAuthenticator({ hasCodes, ...props }: RemoveAuthenticatorProps) {
  return (
    <Removal
      {...props}
      first={
        hasCodes
          ? {
              field: 'lookup_secret_disable',
              build: (csrf_token) => ({ method: 'lookup_secret', lookup_secret_disable: true, csrf_token }),
            }
          : undefined
      }
      field="totp_unlink"
      build={(csrf_token) => ({ method: 'totp', totp_unlink: true, csrf_token })}
      question={texts.askRemove}
      button={texts.confirmRemove}
    >
      {texts.afterRemove} {hasCodes && texts.codesToo}
    </Removal>
  )
}
