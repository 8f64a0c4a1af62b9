import type { RegistrationFlow } from '@ory/client-fetch'
import type { FlowForm } from '@ostiary/react'
import { requiredTraits } from '@ostiary/react/internal'
import { type CredentialsUse, useCredentialsSubmit } from '../../forms/credentials/use-credentials-submit.ts'
import { signUpTexts } from './texts.ts'

export type RegistrationUse = FlowForm<RegistrationFlow>

export function useSignUp(registration: RegistrationUse, credentials: CredentialsUse) {
  return useCredentialsSubmit(registration, credentials, {
    emailField: 'traits.email',
    failed: signUpTexts.failed,
    otherFields: (flow) => requiredTraits(flow).map(({ name }) => name),
  })
}
