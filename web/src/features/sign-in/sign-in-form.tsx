import { OnwardLink } from '../../auth/onward-link.tsx'
import { CredentialsForm, useCredentials } from './credentials-form.tsx'
import { type LoginUse, useSignIn } from './use-sign-in.ts'

export function SignInForm({ login }: { login: LoginUse }) {
  const credentials = useCredentials()
  return (
    <CredentialsForm
      used={login}
      credentials={credentials}
      entry={useSignIn(login, credentials)}
      title="Sign in"
      working="Signing in…"
      verb="Sign in"
      beside={
        <OnwardLink to="/recovery" state={{ email: credentials.texts.email }} className="link text-14">
          Forgot password?
        </OnwardLink>
      }
    />
  )
}
