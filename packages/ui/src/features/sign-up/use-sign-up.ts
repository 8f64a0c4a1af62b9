import type { RegistrationFlow, UpdateRegistrationFlowBody } from '@ory/client-fetch'
import { type UsedFlow, useAuth } from '@ostiary/react'
import { findVerificationId, requiredTraits, withTraits } from '@ostiary/react/internal'
import { useNavigate } from 'react-router'
import { useContinueAfterLogin } from '../../auth/visitors-only.tsx'
import { useReturnTarget } from '../../flow/return-target.tsx'
import { type CredentialsUse, useCredentialsSubmit } from '../../forms/credentials/use-credentials-submit.ts'
import * as paths from '../../paths.ts'
import { signUpTexts } from './texts.ts'

export type RegistrationUse = UsedFlow<RegistrationFlow, UpdateRegistrationFlowBody>

export function useSignUp(registration: RegistrationUse, credentials: CredentialsUse) {
  const navigate = useNavigate()
  const returnTarget = useReturnTarget()
  const continueAfterLogin = useContinueAfterLogin()
  const { refetch } = useAuth()
  return useCredentialsSubmit(registration, credentials, {
    emailField: 'traits.email',
    failed: signUpTexts.failed,
    otherFields: (flow) => requiredTraits(flow).map(({ name }) => name),
    build: ({ email, password }, csrf_token) => ({
      method: 'password',
      csrf_token,
      password,
      traits: withTraits({ email }, requiredTraits(registration.flow), credentials.read()),
    }),
    async onDone(continueWith, hasSession) {
      const verification = findVerificationId(continueWith)
      if (!verification && !hasSession)
        throw new Error('The registration response leads to no verification flow')
      // The next page fetches the session: this one leads a signed-in user to the dashboard.
      if (verification)
        return await navigate(paths.verification(verification), { state: { ...returnTarget, hasSession } })
      await refetch()
      await continueAfterLogin()
    },
  })
}
