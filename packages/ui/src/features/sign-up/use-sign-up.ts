import type { RegistrationFlow } from '@ory/client-fetch'
import type { FlowForm } from '@ostiary/react'
import { requiredTraits } from '@ostiary/react/internal'
import {
  type CredentialsFormState,
  useCredentialsSubmit,
} from '../../forms/credentials/use-credentials-submit.ts'
import { signUpTexts } from './texts.ts'

export type RegistrationFlowForm = FlowForm<RegistrationFlow>

export function useSignUp(registration: RegistrationFlowForm, credentials: CredentialsFormState) {
  return useCredentialsSubmit(registration, credentials, {
    emailField: 'traits.email',
    failed: signUpTexts.failed,
    otherFields: (flow) => requiredTraits(flow).map(({ name }) => name),
  })
}
