import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { schemaResolver } from '../schema-resolver.ts'
import { useReveal } from '../ui/password-field.tsx'
import { type Credentials, credentialsSchema } from './credentials-schema.ts'

export type CredentialsUse = ReturnType<typeof useCredentialsForm>

/** The form of login and registration: react-hook-form holds what is typed, the flow holds all else. */
export function useCredentialsForm(email?: string) {
  const form = useForm<Credentials>({
    resolver: schemaResolver(credentialsSchema),
    // No default for an empty form: what was typed or filled in before the scripts ran stays.
    ...(email ? { defaultValues: { email } } : {}),
  })
  const reveal = useReveal()
  const [canRetry, setCanRetry] = useState(false)
  const { errors, isSubmitting } = form.formState

  function fail(message: string, retry = false) {
    setCanRetry(retry)
    form.setError('root.serverError', { message })
  }

  return {
    form,
    reveal,
    fail,
    canRetry,
    isSubmitting,
    rootError: errors.root?.serverError?.message,
    emailError: errors.email?.message,
    passwordError: errors.password?.message,
    hasError: Object.keys(errors).length > 0,
  }
}
