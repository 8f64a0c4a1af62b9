import { CredentialsForm, useCredentials } from '../../entry/credentials-form.tsx'
import { adviceFor } from '../../flow/password-strength.ts'
import { signUpTexts as texts } from '../../texts/entry.ts'
import { type RegistrationUse, useSignUp } from './use-sign-up.ts'

/** Only an address and a password; everything else can be asked later. */
export function SignUpForm({ registration }: { registration: RegistrationUse }) {
  const credentials = useCredentials()
  return (
    <CredentialsForm
      used={registration}
      credentials={credentials}
      entry={useSignUp(registration, credentials)}
      title={texts.title}
      working={texts.working}
      verb={texts.verb}
      isNew
      hint={adviceFor(credentials.texts.password ?? '')}
    />
  )
}
