import { openedTexts } from '../../texts/security-opened.ts'
import { ConfirmationPanel } from '../../ui/confirmation-panel.tsx'
import type { FormMessage } from '../../ui/wait.tsx'

/** A change of backup codes that takes something away. */
export type Risky = 'regenerate' | 'disable'

interface RiskyChangeProps {
  change: Risky
  isBusy: boolean
  error: FormMessage | undefined
  onConfirm(): void
  onCancel(): void
}

/** Says what a change of backup codes takes away, and asks first. */
export function RiskyChange({ change, ...on }: RiskyChangeProps) {
  const { question, consequence, button } = openedTexts.risks[change]
  return (
    <ConfirmationPanel button={button} {...on}>
      <p className="font-medium">{question}</p>
      <p>{consequence}</p>
    </ConfirmationPanel>
  )
}
