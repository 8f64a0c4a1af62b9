import { requiredTraits } from '@ostiary/react/internal'
import { PasswordAdvice } from '../../flow/password-advice.tsx'
import { CredentialsForm } from '../../forms/credentials/credentials-form.tsx'
import type { CredentialsFormState } from '../../forms/credentials/use-credentials-submit.ts'
import { expectedTraits } from '../../forms/traits/expected-traits.ts'
import { TraitFields } from '../../forms/traits/trait-field.tsx'
import { PasskeySignUp } from './passkey-sign-up.tsx'
import { signUpTexts } from './texts.ts'
import { type RegistrationFlowForm, useSignUp } from './use-sign-up.ts'

interface SignUpFormProps {
  submit: string
  registration: RegistrationFlowForm
  credentials: CredentialsFormState
}

export function SignUpForm({ submit, registration, credentials }: SignUpFormProps) {
  const submission = useSignUp(registration, credentials)
  const { flow } = registration
  const traits = flow ? requiredTraits(flow) : expectedTraits()
  return (
    <CredentialsForm
      flowForm={registration}
      credentials={credentials}
      submission={submission}
      submit={submit}
      texts={signUpTexts}
      isNew
      hint={<PasswordAdvice password={credentials.texts.password ?? ''} />}
      labels={Object.fromEntries(traits.map(({ name, label }) => [name, label]))}
      choice={<TraitFields traits={traits} errors={credentials.errors} />}
    >
      <PasskeySignUp registration={registration} credentials={credentials} prove={submission.prove} />
    </CredentialsForm>
  )
}
