import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
import { AlertIcon } from './icons.tsx'

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id'> {
  label: string
  error?: string | undefined
  hint?: ReactNode
  /** A control inside the field's box, at its end. */
  end?: ReactNode
  /** A word or link on the label's line, at its end. */
  beside?: ReactNode
  mono?: boolean
  ref?: Ref<HTMLInputElement>
}

/** A label, its input, a hint and the error that belongs to it, tied together for everyone. */
export function Field({ label, error, hint, end, beside, mono = false, ...input }: FieldProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <label htmlFor={id} className="text-14 font-medium">
          {label}
        </label>
        {beside}
      </div>
      <div className={`${box} ${error ? 'border-danger' : 'border-edge hover:border-ink'}`}>
        <input
          {...input}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          className={`${inputBase} ${mono ? 'text-center font-mono indent-[0.35em] text-22 tracking-[0.35em] tabular-nums' : 'text-16'}`}
        />
        {end}
      </div>
      {hint && (
        <div id={`${id}-hint`} className="text-14 text-muted">
          {hint}
        </div>
      )}
      <p id={`${id}-error`} aria-live="polite" className={error ? errorText : 'sr-only'}>
        {error && <AlertIcon />}
        <span className="whitespace-pre-line">{error}</span>
      </p>
    </div>
  )
}

const box =
  'flex min-h-11 items-stretch overflow-hidden rounded-field border bg-surface transition-colors focus-within:border-accent focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent'
const inputBase = 'min-h-11 w-full min-w-0 bg-transparent px-3 outline-none'
const errorText = 'flex items-start gap-1.5 text-14 text-danger'
