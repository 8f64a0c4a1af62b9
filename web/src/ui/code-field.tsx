import { fieldTexts } from '../texts/fields.ts'
import { Field, type FieldProps } from './field.tsx'

/** One field for a whole six-digit code; phones and password managers know what belongs into it. */
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
