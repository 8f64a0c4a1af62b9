import type { UpdateSettingsFlowBody } from '@ory/client-fetch'
import { type ReactNode, useState } from 'react'
import { ConfirmationPanel } from '../ui/confirmation-panel.tsx'
import type { FormMessage } from '../ui/wait.tsx'
import { type SettingsUse, useSave } from './use-save.ts'

interface RemovalProps {
  settings: SettingsUse
  /** The flow's name of the field that removes it. */
  field: string
  build(csrf_token: string): UpdateSettingsFlowBody
  question: string
  button: readonly [string, string]
  /** What follows from it. */
  children: ReactNode
  onRemoved(): Promise<void> | void
  onCancel(): void
}

/** Asks before a change of the settings takes something away. */
export function Removal({ settings, field, build, question, children, onRemoved, ...panel }: RemovalProps) {
  const save = useSave(settings)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<FormMessage>()

  async function remove() {
    setBusy(true)
    setError(undefined)
    const result = await save({ field, build })
    setBusy(false)
    if (result.kind === 'failed') setError(result.message)
    if (result.kind === 'saved') await onRemoved()
  }

  return (
    <ConfirmationPanel {...panel} isBusy={isBusy} error={error} onConfirm={() => void remove()}>
      <p className="font-medium">{question}</p>
      <p>{children}</p>
    </ConfirmationPanel>
  )
}
