import type { LoginFlow, UpdateLoginFlowBody } from '@ory/client-fetch'
import { Link } from 'react-router'
import { retryOf } from '../../flow/flow-error.ts'
import { useCredentialsForm } from '../../flow/use-credentials-form.ts'
import type { UsedFlow } from '../../flow/use-flow.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PageHeading, usePageTitle } from '../../ui/page.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { useSignIn } from './use-sign-in.ts'

interface ConfirmFormProps {
  login: UsedFlow<LoginFlow, UpdateLoginFlowBody>
  email: string
}

/** Somebody who is signed in shows once more who they are, before something important changes. */
export function ConfirmForm({ login, email }: ConfirmFormProps) {
  const credentials = useCredentialsForm(email)
  const { form, reveal, isSubmitting } = credentials
  const submit = useSignIn(login, credentials)
  usePageTitle('Confirm it is you', credentials.hasError)
  return (
    <div className="grid gap-6">
      <div className="grid gap-2">
        <PageHeading small>Confirm it is you</PageHeading>
        <p className="text-muted">
          Please enter the current password of{' '}
          <strong className="inline-block max-w-full font-medium wrap-anywhere text-ink">{email}</strong>.
          Your change is kept meanwhile.
        </p>
      </div>
      <form noValidate method="post" onSubmit={(event) => void submit(event)} className="grid gap-5">
        <input {...form.register('email')} type="text" autoComplete="username" readOnly hidden />
        <PasswordField
          {...form.register('password')}
          shown={reveal.shown}
          onToggle={reveal.onToggle}
          label="Password"
          autoComplete="current-password"
          error={credentials.passwordError}
        />
        <FormError retry={retryOf(credentials, login)}>{credentials.rootError}</FormError>
        <Button type="submit" full busy={isSubmitting ? 'Confirming…' : undefined}>
          Continue
        </Button>
      </form>
      <p className="text-14 text-muted">
        Changed your mind?{' '}
        <Link to="/settings" className="link">
          Back to the settings
        </Link>
      </p>
    </div>
  )
}
