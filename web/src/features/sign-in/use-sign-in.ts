import type { ContinueWith, LoginFlow, UpdateLoginFlowBody } from '@ory/client-fetch'
import { useNavigate } from 'react-router'
import { useAfterSignIn } from '../../auth/use-after-sign-in.ts'
import { useAuth } from '../../auth/use-auth.ts'
import { findRedirect } from '../../flow/continue-with.ts'
import type { Credentials } from '../../flow/credentials-schema.ts'
import { sentenceFor } from '../../flow/form-failure.ts'
import { fieldErrorTexts, formTexts } from '../../flow/messages.ts'
import { UNREACHABLE_KEPT } from '../../flow/sentences.ts'
import type { Reply } from '../../flow/submit-flow.ts'
import type { useCredentialsForm } from '../../flow/use-credentials-form.ts'
import type { UsedFlow } from '../../flow/use-flow.ts'

const LOGIN_FAILED = 'Login failed. Please check your credentials.'

type CredentialsForm = ReturnType<typeof useCredentialsForm>

/** Sends the credentials and goes where the answer leads. */
export function useSignIn(
  login: UsedFlow<LoginFlow, UpdateLoginFlowBody>,
  { form, fail, reveal }: CredentialsForm,
) {
  const navigate = useNavigate()
  const goOn = useGoOn(login)

  async function signIn({ email, password }: Credentials) {
    reveal.hide()
    try {
      const reply = await login.submit({
        build: (csrf_token) => ({
          method: 'password',
          csrf_token,
          identifier: email,
          password,
        }),
      })
      await act(reply)
    } catch (error) {
      fail(sentenceFor(error, LOGIN_FAILED))
    }
  }

  async function act(reply: Reply<LoginFlow>): Promise<void> {
    switch (reply.kind) {
      case 'done':
        await goOn(reply.continueWith)
        return
      case 'already-signed-in':
        await goOn([])
        return
      case 'verify-first':
        await navigate(`/verify?flow=${reply.flowId}`, { state: { unverified: true } })
        return
      case 'go':
        location.assign(reply.url)
        return
      case 'form':
        refuse(reply.flow)
        return
      case 'unreachable':
        fail(UNREACHABLE_KEPT, true)
        return
      case 'restart':
      case 'sign-in':
      case 'refused':
        fail(LOGIN_FAILED)
    }
  }

  function refuse(flow: LoginFlow) {
    const identifier = fieldErrorTexts(flow, 'identifier')
    const password = fieldErrorTexts(flow, 'password')
    if (password) form.setError('password', { message: password })
    if (identifier) form.setError('email', { message: identifier }, { shouldFocus: true })
    if (identifier || password) return
    fail(formTexts(flow) ?? LOGIN_FAILED)
    // The address is kept; the password was part of what is wrong.
    form.resetField('password')
    form.setFocus('password')
  }

  return form.handleSubmit(signIn)
}

/** Where somebody goes who has signed in, or confirmed who they are. */
function useGoOn(login: UsedFlow<LoginFlow, UpdateLoginFlowBody>) {
  const navigate = useNavigate()
  const after = useAfterSignIn()
  const { refetch } = useAuth()
  const isConfirming = login.opened?.kind === 'flow' && login.opened.flow.refresh === true
  return async (continueWith: readonly ContinueWith[]) => {
    const url = isConfirming ? findRedirect(continueWith) : undefined
    // The change that waited for this is carried out on the way back.
    if (url) return location.assign(url)
    login.forget()
    await refetch()
    await navigate(after)
  }
}
