import { useState } from 'react'
import { type SettingsUse, useSave } from '../../account/use-save.ts'
import { forgetPasskey, isCancelled, isKnownHere, makePasskey } from '../../flow/passkeys.ts'
import type { Passkey } from './list-passkeys.ts'

/** Makes a passkey on this device, or on one beside it, and stores it. */
export function useAddPasskey(settings: SettingsUse, own: readonly Passkey[]) {
  const save = useSave(settings)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [notice, setNotice] = useState<string>()

  async function add(question: string): Promise<boolean> {
    setBusy(true)
    setError(undefined)
    setNotice(undefined)
    try {
      const answer = await makePasskey(
        question,
        own.map(({ credentialId }) => credentialId),
      )
      const result = await save({
        field: 'passkey_settings_register',
        build: (csrf_token) => ({ method: 'passkey', passkey_settings_register: answer, csrf_token }),
      })
      if (result.kind === 'saved') return true
      if (result.kind === 'failed') setError(result.message)
      // The device holds a passkey that the account does not know.
      await forgetPasskey(question, (JSON.parse(answer) as { id: string }).id)
    } catch (thrown) {
      explain(thrown)
    } finally {
      setBusy(false)
    }
    return false
  }

  function explain(thrown: unknown) {
    if (isCancelled(thrown)) return setNotice('No passkey was added. You can try again at any time.')
    if (isKnownHere(thrown)) return setNotice('This device has a passkey for your account already.')
    console.error(thrown)
    setError('Your device couldn’t make a passkey. Please try again.')
  }

  return { add, isBusy, error, notice }
}
