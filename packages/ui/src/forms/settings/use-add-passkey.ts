import { useState } from 'react'
import type { PasskeyProblem } from './add-passkey.ts'
import { accountTexts } from './texts.ts'
import { type SettingsUse, useSave } from './use-settings.ts'

/** Lazy, because most visits add no passkey. */
export const ceremony = { preload: () => import('./add-passkey.ts') }

export function useAddPasskey(settings: SettingsUse, known: readonly string[]) {
  const save = useSave(settings)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<PasskeyProblem>()

  async function add(question: string): Promise<boolean> {
    setBusy(true)
    setProblem(undefined)
    const next = await ceremony
      .preload()
      .then(({ addPasskey }) => addPasskey(save, question, known))
      .catch((): PasskeyProblem => ({ error: accountTexts.savingFailed }))
    setBusy(false)
    setProblem(next)
    return next === undefined
  }

  return { add, isBusy, ...problem }
}
