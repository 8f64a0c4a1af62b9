import type { ContinueWith, LoginFlow, UpdateLoginFlowBody } from '@ory/client-fetch'
import { useNavigate } from 'react-router'
import { START, useAfterSignIn } from '../../auth/use-after-sign-in.ts'
import { useAuth } from '../../auth/use-auth.ts'
import { identityClient } from '../../flow/client.ts'
import { findRedirect } from '../../flow/continue-with.ts'
import type { CredentialsUse } from '../../flow/use-credentials-form.ts'
import type { UsedFlow } from '../../flow/use-flow.ts'
import { useEntry } from './use-entry.ts'

export type LoginUse = UsedFlow<LoginFlow, UpdateLoginFlowBody>

/** Sends the credentials and goes where the answer leads. */
export function useSignIn(login: LoginUse, credentials: CredentialsUse) {
  const { form } = credentials
  const after = useAfterSignIn()
  const goOn = useGoOn(login)
  return useEntry(login, credentials, {
    emailField: 'identifier',
    failed: 'Login failed. Please check your credentials.',
    build: ({ email, password }, csrf_token) => ({
      method: 'password',
      csrf_token,
      identifier: email,
      password,
    }),
    // A provider leads back to where the flow says, and the service says the dashboard.
    beginProvider: async () => (after === START ? undefined : await beginReturning(after)),
    done: goOn,
    onRefused() {
      // The address is kept; the password was part of what is wrong.
      form.resetField('password')
      form.setFocus('password')
    },
  })
}

/** Where somebody goes who has signed in, or confirmed who they are. */
function useGoOn(login: LoginUse) {
  const navigate = useNavigate()
  const after = useAfterSignIn()
  const { refetch } = useAuth()
  const isConfirming = login.opened?.kind === 'flow' && login.opened.flow.refresh === true
  return async (continueWith: readonly ContinueWith[]) => {
    const url = isConfirming ? findRedirect(continueWith) : undefined
    // The change that waited for this is carried out on the way back.
    if (url) return location.assign(url)
    login.finish()
    await refetch()
    await navigate(after)
  }
}

/** Undefined where the service does not allow the way back: then the page's flow has to do. */
function beginReturning(after: string): Promise<LoginFlow | undefined> {
  const returnTo = new URL(after, location.href).href
  return identityClient()
    .createBrowserLoginFlow({ returnTo })
    .catch(() => undefined)
}
