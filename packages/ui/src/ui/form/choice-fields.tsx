import { type ComponentProps, useId } from 'react'
import { ChevronIcon } from '../icons.tsx'
import { FieldError, fieldBox } from './fields.tsx'

interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'className'> {
  label: string
  error?: string | undefined
}

/**
 * Offers the values in `<option>` elements.
 *
 * @example <SelectField name="team" label="Team"><option>Blue</option></SelectField>
 */
export function SelectField({ label, error, ...select }: SelectFieldProps) {
  const ownId = useId()
  const id = select.id ?? select.name ?? ownId
  return (
    <div className="grid content-start gap-y-1.5">
      <label htmlFor={id} className="text-14 font-medium">
        {label}
      </label>
      <div className={`relative ${fieldBox(error)}`}>
        <select
          {...select}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className="min-h-10.5 w-full min-w-0 appearance-none truncate bg-surface ps-3 pe-8 text-16 outline-none"
        />
        <ChevronIcon />
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  )
}

interface CheckboxFieldProps extends Omit<ComponentProps<'input'>, 'className' | 'type'> {
  label: string
  error?: string | undefined
}

/**
 * A checkbox with its label. The value is `on` if it is checked.
 *
 * @example <CheckboxField name="news" label="Send me news" />
 */
export function CheckboxField({ label, error, ...input }: CheckboxFieldProps) {
  const ownId = useId()
  const id = input.id ?? input.name ?? ownId
  return (
    <div className="grid content-start">
      {/* Its whole line is clickable. */}
      <label className="flex min-h-6 cursor-pointer items-center gap-2.5 justify-self-start text-14 pointer-coarse:min-h-11">
        <input
          {...input}
          id={id}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
        />
        <span>{label}</span>
      </label>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  )
}
