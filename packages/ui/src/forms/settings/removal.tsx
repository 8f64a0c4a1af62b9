import type { ReactNode } from 'react'
import { ConfirmationPanel } from '../../ui/confirmation-panel.tsx'
import { type Saving, type SettingsUse, useChange } from './use-settings.ts'

interface RemovalProps extends Pick<Saving, 'field' | 'build'> {
  settings: SettingsUse
  first?: Saving
  question: string
  button: readonly [string, string]
  children: ReactNode
  onRemoved(): Promise<void> | void
  onCancel(): void
}

export function Removal({ settings, children, onRemoved, ...rest }: RemovalProps) {
  const { field, build, first, ...panel } = rest
  const { change, busy, error } = useChange<'remove'>(settings)

  async function remove() {
    for (const saving of [...(first ? [first] : []), { field, build }])
      if ((await change('remove', saving)).kind !== 'saved') return
    await onRemoved()
  }

  return (
    <ConfirmationPanel {...panel} isBusy={busy !== undefined} error={error} onConfirm={() => void remove()}>
      <p>{children}</p>
    </ConfirmationPanel>
  )
}
