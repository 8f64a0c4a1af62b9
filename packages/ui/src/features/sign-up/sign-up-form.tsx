import { requiredTraits } from '@ostiary/react/internal'
import { PasswordAdvice } from '../../flow/password-advice.tsx'
import { CredentialsForm } from '../../forms/credentials/credentials-form.tsx'
import type { CredentialsUse } from '../../forms/credentials/use-credentials-submit.ts'
import { TraitFields } from '../../forms/traits/trait-field.tsx'
import { PasskeySignUp } from './passkey-sign-up.tsx'
import { signUpTexts as texts } from './texts.ts'
import { type RegistrationUse, useSignUp } from './use-sign-up.ts'

interface SignUpFormProps {
  submit: string
  registration: RegistrationUse
  credentials: CredentialsUse
}

export function SignUpForm({ submit, registration, credentials }: SignUpFormProps) {
  const entry = useSignUp(registration, credentials)
  const traits = requiredTraits(registration.flow)
  return (
    <CredentialsForm
      used={registration}
      credentials={credentials}
      entry={entry}
      submit={submit}
      working={texts.working}
      verb={texts.verb}
      isNew
      hint={<PasswordAdvice password={credentials.texts.password ?? ''} />}
      labels={Object.fromEntries(traits.map(({ name, label }) => [name, label]))}
      choice={<TraitFields traits={traits} errors={credentials.errors} />}
    >
      <PasskeySignUp registration={registration} credentials={credentials} prove={entry.prove} />
    </CredentialsForm>
  )
}
