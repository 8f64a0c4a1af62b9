import type { RegistrationFlow, UiNode } from '@ory/client-fetch'
import { useRegistration } from '@ostiary/react'
import { type ReactNode, useEffect, useState } from 'react'
import { useNext } from '../../auth/use-next.ts'
import { VisitorsOnly } from '../../auth/visitors-only.tsx'
import { useFlowInUrl } from '../../flow/flow-in-url.ts'
import { useCredentials } from '../../forms/credentials/credentials-form.tsx'
import { FormHead } from '../../forms/credentials/form-head.tsx'
import { FormPage } from '../../ui/page.tsx'
import { FinishWithProvider, providerToFinishWith } from './finish-with-provider.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import type { RegistrationFlowForm } from './use-sign-up.ts'

interface RegisterFormProps {
  title: string
  /** The label of the button; default: the title. */
  submit?: string
  /** Under the title, such as a link to the login. */
  children?: ReactNode
}

/**
 * The registration: password, passkey and provider, with the traits that the schema requires.
 *
 * @example <RegisterForm title="Sign up"><FormLink to="/login">Login</FormLink></RegisterForm>
 */
export function RegisterForm({ title, submit = title, children }: RegisterFormProps) {
  const credentials = useCredentials()
  const registration = useLastingRegistration()
  const { flow } = registration
  const provider = providerToFinishWith(flow)
  return (
    <VisitorsOnly form={registration}>
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
            <SignUpForm submit={submit} registration={registration} credentials={credentials} />
          </>
        )}
      </FormPage>
    </VisitorsOnly>
  )
}

/** A flow in which a provider failed offers nothing else. A new one takes its place, and says what happened. */
function useLastingRegistration(): RegistrationFlowForm {
  const goOn = useNext()
  const form = useRegistration({
    ...useFlowInUrl(),
    // The form says it if an end leads nowhere.
    onNext: (next) =>
      next.kind === 'done' && !next.verification && !next.hasSession ? undefined : goOn(next),
  })
  const { flow, switchTo } = form
  const [failed, setFailed] = useState<RegistrationFlow>()
  const isLeft = flow !== undefined && flow !== failed && hasOnlyFailedProvider(flow)
  useEffect(() => {
    if (!isLeft) return
    setFailed(flow)
    void switchTo(undefined)
  })
  if (!flow || !failed || flow.ui.messages) return form
  return { ...form, flow: { ...flow, ui: { ...flow.ui, messages: failed.ui.messages } } }
}

function hasOnlyFailedProvider({ ui: { nodes, messages = [] } }: RegistrationFlow): boolean {
  return (
    messages.length > 0 &&
    nodes.every(({ group }) => group === 'oidc' || group === 'default') &&
    !nodes.some(isTrait)
  )
}

const isTrait = ({ attributes }: UiNode) => 'name' in attributes && attributes.name.startsWith('traits.')
