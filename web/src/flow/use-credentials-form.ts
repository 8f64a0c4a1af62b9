import type { z } from '../schema.ts'
import { useReveal } from '../ui/password-field.tsx'
import { useForm } from '../ui/use-form.ts'
import { type Credentials, credentialsSchema } from './credentials-schema.ts'

export type CredentialsUse = ReturnType<typeof useCredentialsForm>

/** The form of login and registration: the page holds what is typed, the flow holds all else. */
export function useCredentialsForm(email?: string, schema: z.ZodMiniType<Credentials> = credentialsSchema) {
  return { ...useForm(schema, { email: email ?? '' }), reveal: useReveal() }
}
