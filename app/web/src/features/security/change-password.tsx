import { PasswordForm } from '../../account/password-form.tsx'
import type { SettingsUse } from '../../account/use-save.ts'
import { openedTexts } from '../../texts/security-opened.ts'

interface ChangePasswordProps {
  settings: SettingsUse
  onSaved(): void
  onCancel(): void
}

const texts = openedTexts.password

/** A new password, and what it does to other devices. */
export function ChangePassword(props: ChangePasswordProps) {
  return (
    <>
      <p className="text-14 text-muted">{texts.before}</p>
      <PasswordForm {...props} button={texts.save} autoFocus />
    </>
  )
}
