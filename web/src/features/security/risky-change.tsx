import { ConfirmationPanel } from '../../ui/confirmation-panel.tsx'

/** A change of backup codes that takes something away. */
export type Risky = 'regenerate' | 'disable'

interface RiskyChangeProps {
  change: Risky
  isBusy: boolean
  error: string | undefined
  onConfirm(): void
  onCancel(): void
}

/** Says what a change of backup codes takes away, and asks first. */
export function RiskyChange({ change, ...on }: RiskyChangeProps) {
  const { question, consequence, button } = risks[change]
  return (
    <ConfirmationPanel button={button} {...on}>
      <p className="font-medium">{question}</p>
      <p>{consequence}</p>
    </ConfirmationPanel>
  )
}

const risks = {
  disable: {
    question: 'Turn backup codes off?',
    consequence: 'If you lose your phone, you can no longer sign in.',
    button: ['Turn off', 'Turning off…'],
  },
  regenerate: {
    question: 'Make new backup codes?',
    consequence: 'The codes that you have now stop working as soon as you save the new ones.',
    button: ['Make new codes', 'One moment…'],
  },
} as const
