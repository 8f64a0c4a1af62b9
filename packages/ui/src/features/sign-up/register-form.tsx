import { registrationFlow } from '@ostiary/react/flows'
import type { ReactNode } from 'react'
import { VisitorsOnly } from '../../auth/visitors-only.tsx'
import { useFlow } from '../../flow/use-flow.ts'
import { useCredentials } from '../../forms/credentials/credentials-form.tsx'
import { FormHead } from '../../forms/credentials/form-head.tsx'
import { FormPage } from '../../ui/page.tsx'
import { FinishWithProvider, providerToFinishWith } from './finish-with-provider.tsx'
import { SignUpForm } from './sign-up-form.tsx'

interface RegisterFormProps {
  title: string
  /** Under the title, such as a link to the login. */
  children?: ReactNode
}

/**
 * The registration: password, passkey and provider, with the traits that the schema requires.
 *
 * @example <RegisterForm title="Sign up"><FormLink to="/login">Login</FormLink></RegisterForm>
 */
export function RegisterForm({ title, children }: RegisterFormProps) {
  const registration = useFlow(registrationFlow)
  const credentials = useCredentials()
  const { flow } = registration
  const provider = providerToFinishWith(flow)
  return (
    <VisitorsOnly>
      <FormPage>
        {flow && provider ? (
          <FinishWithProvider registration={registration} flow={flow} provider={provider} />
        ) : (
          <>
            <div className="mb-6">
              <FormHead title={title} email={credentials.texts.email}>
                {children}
              </FormHead>
            </div>
            <SignUpForm title={title} registration={registration} credentials={credentials} />
          </>
        )}
      </FormPage>
    </VisitorsOnly>
  )
}
