import { useState } from 'react'
import type { FormMessage } from '../ui/wait.tsx'
import { type SaveResult, type Saving, type SettingsUse, useSave } from './use-save.ts'

/** Changes of the settings by a button of their own: which is under way, and why the last one failed. */
export function useChange<Name extends string>(settings: SettingsUse) {
  const save = useSave(settings)
  const [busy, setBusy] = useState<Name>()
  const [error, setError] = useState<FormMessage>()

  async function change(name: Name, saving: Saving): Promise<SaveResult> {
    setBusy(name)
    setError(undefined)
    const result = await save(saving)
    // While the browser leaves, the button stays busy.
    if (result.kind !== 'leaving') setBusy(undefined)
    if (result.kind === 'failed') setError(result.message)
    return result
  }

  return { change, busy, error }
}
