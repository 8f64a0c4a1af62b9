import type { UpdateSettingsFlowBody } from '@ory/client-fetch'
import type { ReactNode } from 'react'
import { ConfirmationPanel } from '../ui/confirmation-panel.tsx'
import { useChange } from './use-change.ts'
import type { SettingsUse } from './use-save.ts'

interface RemovalProps {
  settings: SettingsUse
  /** The flow's name of the field that removes it. */
  field: string
  build(csrf_token: string): UpdateSettingsFlowBody
  question: string
  button: readonly [string, string]
  /** The consequences. */
  children: ReactNode
  onRemoved(): Promise<void> | void
  onCancel(): void
}

/** Asks before a change of the settings takes something away. */
export function Removal({ settings, field, build, question, children, onRemoved, ...panel }: RemovalProps) {
  const { change, busy, error } = useChange<'remove'>(settings)

  async function remove() {
    const { kind } = await change('remove', { field, build })
    if (kind === 'saved') await onRemoved()
  }

  return (
    <ConfirmationPanel {...panel} isBusy={busy !== undefined} error={error} onConfirm={() => void remove()}>
      <p className="font-medium">{question}</p>
      <p>{children}</p>
    </ConfirmationPanel>
  )
}
