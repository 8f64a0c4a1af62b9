import { ConfirmationPanel, type ConfirmationPanelProps } from '../../ui/confirmation-panel.tsx'
import { type Change, type SettingsFlowForm, useChange } from './use-settings.ts'

export interface RemovalProps
  extends Pick<ConfirmationPanelProps, 'question' | 'button' | 'children' | 'onCancel'> {
  settings: SettingsFlowForm
  /** One after the other. */
  changes: readonly Change[]
  onRemoved(): void
}

export function Removal({ settings, changes, children, onRemoved, ...panel }: RemovalProps) {
  const { change, pending, error } = useChange(settings)

  async function remove() {
    for (const one of changes) if ((await change(one)).kind !== 'saved') return
    onRemoved()
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
