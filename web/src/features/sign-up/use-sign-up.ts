import type { RegistrationFlow, UpdateRegistrationFlowBody } from '@ory/client-fetch'
import { useNavigate } from 'react-router'
import { useAuth } from '../../auth/use-auth.ts'
import { findVerificationFlow } from '../../flow/continue-with.ts'
import type { Credentials } from '../../flow/credentials-schema.ts'
import { sentenceFor } from '../../flow/form-failure.ts'
import { fieldErrorTexts, formTexts } from '../../flow/messages.ts'
import { UNREACHABLE_KEPT } from '../../flow/sentences.ts'
import type { Reply } from '../../flow/submit-flow.ts'
import type { useCredentialsForm } from '../../flow/use-credentials-form.ts'
import type { UsedFlow } from '../../flow/use-flow.ts'

const REGISTRATION_FAILED = 'Registration failed'

type CredentialsForm = ReturnType<typeof useCredentialsForm>

/** Creates the account and goes on to the verification of its address. */
export function useSignUp(
  registration: UsedFlow<RegistrationFlow, UpdateRegistrationFlowBody>,
  { form, fail, reveal }: CredentialsForm,
) {
  const navigate = useNavigate()
  const { refetch } = useAuth()

  async function signUp({ email, password }: Credentials) {
    reveal.hide()
    try {
      const reply = await registration.submit({
        build: (csrf_token) => ({
          method: 'password',
          csrf_token,
          password,
          traits: { email },
        }),
      })
      await act(reply)
    } catch (error) {
      fail(sentenceFor(error, REGISTRATION_FAILED))
    }
  }

  async function act(reply: Reply<RegistrationFlow>): Promise<void> {
    switch (reply.kind) {
      case 'done': {
        const verification = findVerificationFlow(reply.continueWith)
        if (!verification) throw new Error('The registration response leads to no verification flow')
        registration.forget()
        await navigate(`/verify?flow=${verification.id}`)
        return
      }
      case 'verify-first':
        await navigate(`/verify?flow=${reply.flowId}`)
        return
      case 'already-signed-in':
        await refetch()
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
        fail(REGISTRATION_FAILED)
    }
  }

  function refuse(flow: RegistrationFlow) {
    const email = fieldErrorTexts(flow, 'traits.email')
    const password = fieldErrorTexts(flow, 'password')
    const texts = formTexts(flow)
    if (password) form.setError('password', { message: password }, { shouldFocus: true })
    if (email) form.setError('email', { message: email }, { shouldFocus: true })
    if (texts || !(email || password)) fail(texts ?? REGISTRATION_FAILED)
  }

  return form.handleSubmit(signUp)
}
