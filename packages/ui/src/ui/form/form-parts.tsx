import { useId } from 'react'
import { fieldTexts } from '../../texts/fields.ts'
import type { FormState } from './use-form.ts'

interface ErrorSummaryProps {
  form: Pick<FormState<object>, 'summed' | 'errors' | 'summary' | 'focus'>
  labels: Readonly<Record<string, string>>
}

/**
 * Links to the wrong fields of a form that has several. Corrected ones are struck out, and the space stays until
 * the next submission, so that the form does not move.
 *
 * @example <ErrorSummary form={form} labels={{ title: 'Title', url: 'Address' }} />
 */
export function ErrorSummary({ form, labels }: ErrorSummaryProps) {
  const title = useId()
  const names = form.summed
  if (names.length === 0) return null
  const isCorrected = names.every((name) => !form.errors[name])
  return (
    <section
      ref={form.summary}
      tabIndex={-1}
      aria-labelledby={title}
      data-tone="danger"
      className={`notice flex scroll-mt-6 flex-wrap items-start gap-x-3 pointer-coarse:items-center ${isCorrected ? 'invisible' : ''}`}
    >
      <p id={title}>{fieldTexts.wrong(names.length)}</p>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          onClick={() => form.focus(name)}
          className={`-my-0.5 min-h-6 font-medium underline-offset-3 pointer-coarse:my-0 pointer-coarse:min-h-11 ${form.errors[name] ? 'underline' : 'line-through'}`}
        >
          {labels[name]}
        </button>
      ))}
    </section>
  )
}

export function Divider({ children }: { children: string }) {
  return (
    <div className="flex items-center gap-3 text-14 text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
      {children}
    </div>
  )
}
