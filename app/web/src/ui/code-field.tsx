import { fieldTexts } from '../texts/fields.ts'
import { Field, type FieldProps } from './field.tsx'

/** One field for a six-digit code, which phones and password managers can fill. */
export function CodeField(props: Omit<FieldProps, 'label' | 'type'>) {
  return (
    <Field
      {...props}
      label={fieldTexts.code}
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCorrect="off"
      spellCheck={false}
      mono
    />
  )
}
