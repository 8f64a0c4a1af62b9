import { fieldTexts } from '../texts/fields.ts'
import { Field, type FieldProps } from './field.tsx'

/** Where users type an address: phones neither capitalise nor correct it. */
export function EmailField(props: Omit<FieldProps, 'label' | 'type'> & { label?: string }) {
  return (
    <Field
      autoComplete="email"
      label={fieldTexts.email}
      {...props}
      type="email"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
}
