import { useState } from 'react'
import { type SettingsUse, useSave } from '../../account/use-save.ts'
import { accountTexts } from '../../texts/account.ts'
import type { PasskeyProblem } from './add-passkey.ts'
import type { Passkey } from './list-passkeys.ts'

/** What talks to the browser's dialog. Most visits add none, so it comes when the browser is idle. */
export const ceremony = { preload: () => import('./add-passkey.ts') }

/** Adding a passkey: whether it is under way, and what became of the last try. */
export function useAddPasskey(settings: SettingsUse, own: readonly Passkey[]) {
  const save = useSave(settings)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<PasskeyProblem>()

  async function add(question: string): Promise<boolean> {
    setBusy(true)
    setProblem(undefined)
    const ids = own.map(({ id }) => id)
    const next = await ceremony
      .preload()
      .then(({ addPasskey }) => addPasskey(save, question, ids))
      .catch((): PasskeyProblem => ({ error: accountTexts.savingFailed }))
    setBusy(false)
    setProblem(next)
    return next === undefined
  }

  return { add, isBusy, ...problem }
}
