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
  const { change, busy, error } = useChange<'remove'>(settings)

  async function remove() {
    for (const one of changes) if ((await change('remove', one)).kind !== 'saved') return
    await onRemoved()
  }

  return (
    <ConfirmationPanel {...panel} isBusy={busy !== undefined} error={error} onConfirm={() => void remove()}>
      <p>{children}</p>
    </ConfirmationPanel>
  )
}
