import type { FormMessage } from '@ostiary/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { layoutTexts } from '../texts/layout.ts'
import { ActionButton, Button } from './button.tsx'
import { FormError } from './form/form-error.tsx'

export interface ConfirmationPanelProps {
  question: string
  /** It deletes for good. */
  isFinal?: boolean | undefined
  children: ReactNode
  button: readonly [string, string]
  isBusy: boolean
  error?: FormMessage | null | undefined
  onConfirm(): void
  onCancel(): void
}

export function ConfirmationPanel({
  question,
  isFinal = false,
  children,
  button,
  isBusy,
  error,
  onConfirm,
  onCancel,
}: ConfirmationPanelProps) {
  const view = useRef<HTMLDivElement>(null)
  useEffect(() => view.current?.focus(), [])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape means the button inside
    <div
      ref={view}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        if (!isBusy) onCancel()
      }}
      className={`grid gap-4 rounded-field border p-4 focus:outline-none ${isFinal ? 'border-danger bg-danger-tint' : 'border-transparent bg-raised'}`}
    >
      <div className="grid gap-2 text-14">
        <p className="font-medium">{question}</p>
        {children}
      </div>
      <FormError>{error}</FormError>
      <div className="flex flex-wrap gap-3">
        <ActionButton look="danger" small words={button} isBusy={isBusy} onClick={onConfirm} />
        <Button look="neutral" small onClick={onCancel}>
          {layoutTexts.cancel}
        </Button>
      </div>
    </div>
  )
}
