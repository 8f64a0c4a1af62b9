import { useLocation } from 'react-router'
import { useSessionOf } from '../../auth/use-session-of.ts'
import { flowErrorOf, retryOf } from '../../flow/flow-error.ts'
import { registrationFlow } from '../../flow/kinds.ts'
import { useCredentialsForm } from '../../flow/use-credentials-form.ts'
import { useFlow } from '../../flow/use-flow.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { usePageTitle } from '../../ui/page.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { adviceFor } from './password-strength.ts'
import { useSignUp } from './use-sign-up.ts'

/** Only an address and a password; everything else can be asked later. */
export function SignUpForm() {
  const registration = useFlow(registrationFlow)
  const { state } = useLocation() as { state: { email?: string } | null }
  const credentials = useCredentialsForm(state?.email)
  const { form, reveal, isSubmitting } = credentials
  const submit = useSignUp(registration, credentials)
  usePageTitle('Create account', credentials.hasError)
  useSessionOf(registration.opened?.kind)
  const flowError = flowErrorOf(registration, form.formState.submitCount)

  return (
    <form noValidate method="post" onSubmit={(event) => void submit(event)} className="grid gap-5">
      <Field
        {...form.register('email')}
        label="Email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={credentials.emailError}
      />
      <PasswordField
        {...form.register('password')}
        shown={reveal.shown}
        onToggle={reveal.onToggle}
        label="Password"
        autoComplete="new-password"
        error={credentials.passwordError}
        hint={adviceFor(form.watch('password') ?? '')}
      />
      <FormError retry={retryOf(credentials, registration)}>{credentials.rootError ?? flowError}</FormError>
      <Button type="submit" full busy={isSubmitting ? 'Creating account…' : undefined}>
        Create account
      </Button>
    </form>
  )
}
