import { Field, type FieldProps } from './field.tsx'

/** Where people type an address: phones neither capitalise nor correct it. */
export function EmailField(props: Omit<FieldProps, 'label' | 'type'>) {
  return (
    <Field
      autoComplete="email"
      {...props}
      label="Email"
      type="email"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
}
