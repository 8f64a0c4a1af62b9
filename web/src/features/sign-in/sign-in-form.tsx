import type { LoginFlow, UpdateLoginFlowBody } from '@ory/client-fetch'
import { Link, useLocation } from 'react-router'
import { useSessionOf } from '../../auth/use-session-of.ts'
import { flowErrorOf, retryOf } from '../../flow/flow-error.ts'
import { useCredentialsForm } from '../../flow/use-credentials-form.ts'
import type { UsedFlow } from '../../flow/use-flow.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { usePageTitle } from '../../ui/page.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { ProviderButtons } from './provider-buttons.tsx'
import { useProviderSignIn } from './use-provider-sign-in.ts'
import { useSignIn } from './use-sign-in.ts'

/** Email and password, and the providers below them. Usable at once: the flow arrives meanwhile. */
export function SignInForm({ login }: { login: UsedFlow<LoginFlow, UpdateLoginFlowBody> }) {
  const { state } = useLocation() as { state: { email?: string } | null }
  const credentials = useCredentialsForm(state?.email)
  const { form, reveal, isSubmitting } = credentials
  const submit = useSignIn(login, credentials)
  const providers = useProviderSignIn(login, credentials.fail)
  useSessionOf(login.opened?.kind)
  usePageTitle('Sign in', credentials.hasError)
  const flowError = flowErrorOf(login, form.formState.submitCount)

  return (
    <div className="grid gap-6">
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
          autoComplete="current-password"
          error={credentials.passwordError}
          beside={
            <Link to="/recovery" state={{ email: form.watch('email') }} className="link text-14">
              Forgot password?
            </Link>
          }
        />
        <FormError retry={retryOf(credentials, login)}>{credentials.rootError ?? flowError}</FormError>
        <Button type="submit" full busy={isSubmitting ? 'Signing in…' : undefined}>
          Sign in
        </Button>
      </form>
      <ProviderButtons busy={providers.busy} onStart={providers.start} />
    </div>
  )
}
