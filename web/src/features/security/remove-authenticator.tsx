import { Removal } from '../../account/removal.tsx'
import type { SettingsUse } from '../../account/use-save.ts'
import { openedTexts } from '../../texts/security-opened.ts'

interface RemoveAuthenticatorProps {
  settings: SettingsUse
  onRemoved(): void
  onCancel(): void
}

const texts = openedTexts.authenticator

/** Asks before the second factor is removed. */
export function RemoveAuthenticator(props: RemoveAuthenticatorProps) {
  return (
    <Removal
      {...props}
      field="totp_unlink"
      build={(csrf_token) => ({ method: 'totp', totp_unlink: true, csrf_token })}
      question={texts.askRemove}
      button={texts.confirmRemove}
    >
      {texts.afterRemove}
    </Removal>
  )
}
