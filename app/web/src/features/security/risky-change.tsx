import { openedTexts } from '../../texts/security-opened.ts'
import { ConfirmationPanel } from '../../ui/confirmation-panel.tsx'
import type { FormMessage } from '../../ui/wait.tsx'

/** A change that invalidates backup codes. */
export type Risky = 'regenerate' | 'disable' | 'disableLast'

interface RiskyChangeProps {
  change: Risky
  isBusy: boolean
  error: FormMessage | undefined
  onConfirm(): void
  onCancel(): void
}

/** Asks before backup codes become invalid. */
export function RiskyChange({ change, ...on }: RiskyChangeProps) {
  const { question, consequence, button } = openedTexts.risks[change]
  return (
    <ConfirmationPanel button={button} {...on}>
      <p className="font-medium">{question}</p>
      <p>{consequence}</p>
    </ConfirmationPanel>
  )
}
