import { useState } from 'react'
import { type SettingsUse, useSave } from '../../account/use-save.ts'
import { ConfirmationPanel } from '../../ui/confirmation-panel.tsx'

interface RemoveAuthenticatorProps {
  settings: SettingsUse
  onRemoved(): void
  onCancel(): void
}

/** Asks before the second step of signing in goes. */
export function RemoveAuthenticator({ settings, onRemoved, onCancel }: RemoveAuthenticatorProps) {
  const save = useSave(settings)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  async function remove() {
    setBusy(true)
    const result = await save({
      field: 'totp_unlink',
      build: (csrf_token) => ({ method: 'totp', totp_unlink: true, csrf_token }),
    })
    setBusy(false)
    if (result.kind === 'saved') onRemoved()
    if (result.kind === 'failed') setError(result.message)
  }

  return (
    <ConfirmationPanel
      button={['Remove app', 'Removing…']}
      isBusy={isBusy}
      error={error}
      onConfirm={() => void remove()}
      onCancel={onCancel}
    >
      <p className="font-medium">Remove your authenticator app?</p>
      <p>Signing in will no longer ask for its codes, so your account is easier to break into.</p>
    </ConfirmationPanel>
  )
}
