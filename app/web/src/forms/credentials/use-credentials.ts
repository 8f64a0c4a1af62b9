import { type Credentials, credentialsSchema } from '../../flow/rules.ts'
import { useReveal } from '../../ui/form/fields.tsx'
import { z } from '../../ui/form/schema.ts'
import { useForm } from '../../ui/form/use-form.ts'

export type CredentialsUse = ReturnType<typeof useCredentialsForm>

export function useCredentialsForm(email?: string, schema: z.ZodMiniType<Credentials> = credentialsSchema) {
  return { ...useForm(schema, { email: email ?? '' }), reveal: useReveal() }
}

/** The typed address for another method. Undefined if invalid, and the field shows the error. */
export function takeEmail({ texts, refuse }: CredentialsUse): string | undefined {
  const email = z.safeParse(credentialsSchema.shape.email, texts.email ?? '')
  if (email.success) return email.data
  refuse({ email: email.error.issues[0]?.message })
  return undefined
}
