import type { ReactNode } from 'react'
import { ConfirmationPanel } from '../../ui/confirmation-panel.tsx'
import { type Change, type SettingsFlowForm, useChange } from './use-settings.ts'

interface RemovalProps {
  settings: SettingsFlowForm
  /** One after the other. */
  changes: readonly Change[]
  question: string
  button: readonly [string, string]
  children: ReactNode
  onRemoved(): Promise<void> | void
  onCancel(): void
}

export function Removal({ settings, changes, children, onRemoved, ...panel }: RemovalProps) {
  const { change, pending, error } = useChange(settings)

  async function remove() {
    for (const one of changes) if ((await change(one)).kind !== 'saved') return
    await onRemoved()
  }

  return (
    <ConfirmationPanel
      {...panel}
      isBusy={pending !== undefined}
      error={error}
      onConfirm={() => void remove()}
    >
      <p>{children}</p>
    </ConfirmationPanel>
  )
}
