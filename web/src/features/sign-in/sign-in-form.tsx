import { CredentialsForm, useCredentials } from '../../entry/credentials-form.tsx'
import { OnwardLink } from '../../flow/onward-link.tsx'
import { signInTexts as texts } from '../../texts/entry.ts'
import { NewCode } from './new-code.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { type LoginUse, useSignIn } from './use-sign-in.ts'

export function SignInForm({ login }: { login: LoginUse }) {
  const credentials = useCredentials()
  const entry = useSignIn(login, credentials)
  return (
    <CredentialsForm
      used={login}
      credentials={credentials}
      entry={entry}
      title={texts.title}
      working={texts.working}
      verb={texts.title}
      suggests="passkeys"
      beside={
        <OnwardLink to="/recovery" state={{ email: credentials.texts.email }} className="link text-14">
          {texts.forgot}
        </OnwardLink>
      }
    >
      {credentials.failure && !credentials.failure.canRetry && (
        <NewCode email={credentials.texts.email ?? ''} />
      )}
      <PasskeyButton login={login} prove={entry.prove} />
    </CredentialsForm>
  )
}
