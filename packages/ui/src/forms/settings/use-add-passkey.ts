import type { SettingsFlow } from '@ory/client-fetch'
import { useState } from 'react'
import type { PasskeyProblem } from './add-passkey.ts'
import { accountTexts } from './texts.ts'
import { type SettingsUse, useSave } from './use-settings.ts'

/** Lazy, because most visits add no passkey. */
export const ceremony = { preload: () => import('./add-passkey.ts') }

export function useAddPasskey(settings: SettingsUse) {
  const save = useSave(settings)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<PasskeyProblem>()

  async function add(question: string): Promise<boolean> {
    const known = settings.flow ? passkeyNodes(settings.flow).map(({ id }) => id) : []
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

interface PasskeyLabel {
  readonly display_name?: string
  readonly added_at?: string
}

/** The removable passkeys of a flow. Ids are hexadecimal, as in the form. */
export function passkeyNodes({ ui }: SettingsFlow) {
  return ui.nodes.flatMap(({ attributes, meta }) => {
    if (attributes.node_type !== 'input' || attributes.name !== 'passkey_remove') return []
    const label: PasskeyLabel = meta.label?.context ?? {}
    return [{ ...label, id: String(attributes.value), isLast: attributes.disabled === true }]
  })
}
