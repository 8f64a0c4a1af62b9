import { adviceFor } from '../../flow/rules.ts'
import { CredentialsForm } from '../../forms/credentials/credentials-form.tsx'
import type { CredentialsUse } from '../../forms/credentials/use-credentials.ts'
import { PasskeySignUp } from './passkey-sign-up.tsx'
import { signUpTexts as texts } from './texts.ts'
import { type RegistrationUse, useSignUp } from './use-sign-up.ts'

interface SignUpFormProps {
  registration: RegistrationUse
  credentials: CredentialsUse
}

export function SignUpForm({ registration, credentials }: SignUpFormProps) {
  const entry = useSignUp(registration, credentials)
  return (
    <CredentialsForm
      used={registration}
      credentials={credentials}
      entry={entry}
      title={texts.title}
      working={texts.working}
      verb={texts.verb}
      isNew
      hint={adviceFor(credentials.texts.password ?? '')}
    >
      <PasskeySignUp registration={registration} credentials={credentials} prove={entry.prove} />
    </CredentialsForm>
  )
}
