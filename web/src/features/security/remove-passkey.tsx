import { useState } from 'react'
import { type SettingsUse, useSave } from '../../account/use-save.ts'
import { forgetPasskey } from '../../flow/passkeys.ts'
import { ConfirmationPanel } from '../../ui/confirmation-panel.tsx'
import type { Passkey } from './list-passkeys.ts'

interface RemovePasskeyProps {
  passkey: Passkey
  onCancel(): void
  onDone(words: string): void
  settings: SettingsUse
  question: string | undefined
}

/** Asks before a passkey is removed, and lets the browser know. */
export function RemovePasskey({ passkey, settings, question, onCancel, onDone }: RemovePasskeyProps) {
  const save = useSave(settings)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  async function remove() {
    setBusy(true)
    const result = await save({
      field: 'passkey_remove',
      build: (csrf_token) => ({ method: 'passkey', passkey_remove: passkey.id, csrf_token }),
    })
    setBusy(false)
    if (result.kind === 'failed') setError(result.message)
    if (result.kind !== 'saved') return
    if (question) await forgetPasskey(question, passkey.credentialId)
    onDone(`“${passkey.name}” is removed.`)
  }

  return (
    <ConfirmationPanel
      button={['Remove passkey', 'Removing…']}
      isBusy={isBusy}
      error={error}
      onConfirm={() => void remove()}
      onCancel={onCancel}
    >
      <p className="font-medium">Remove “{passkey.name}”?</p>
      <p>
        You can no longer sign in with it. Your device may keep offering it: delete it there too
        {passkey.keptBy ? `, in ${passkey.keptBy}` : ''}.
      </p>
    </ConfirmationPanel>
  )
}
