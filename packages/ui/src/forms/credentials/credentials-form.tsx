import type { AnyFlow, FlowForm } from '@ostiary/react'
import { wasCancelled } from '@ostiary/react/internal'
import type { ReactNode } from 'react'
import { type Location, useLocation } from 'react-router'
import { flowErrorOf, retryOf } from '../../flow/failures.ts'
import { offeredProviders } from '../../flow/providers.tsx'
import { readFormBeforeProvider, useFilledIn, useTypedAddress } from '../../flow/return-target.tsx'
import { credentialsSchema, tooShort } from '../../flow/rules.ts'
import { product } from '../../product.ts'
import { fieldTexts } from '../../texts/fields.ts'
import { useHydrated } from '../../ui/browser.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField, PasswordField } from '../../ui/form/fields.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { ErrorSummary } from '../../ui/form/form-parts.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { Notice } from '../../ui/page.tsx'
import { MethodLabel, ProviderButtons } from './method-buttons.tsx'
import { entryTexts } from './texts.ts'
import type { CredentialsFormState, CredentialsSubmit } from './use-credentials-submit.ts'

interface CredentialsFormProps {
  flowForm: FlowForm<AnyFlow>
  credentials: CredentialsFormState
  submission: CredentialsSubmit
  submit: string
  texts: { readonly working: string; readonly verb: string }
  /** For a registration. */
  isNew?: boolean
  hint?: ReactNode
  besideEmail?: ReactNode
  beside?: ReactNode
  choice?: ReactNode
  labels?: Readonly<Record<string, string>>
  belowError?: ReactNode
  /** The passkey button. */
  children?: ReactNode
  last?: ReactNode
}

/** Starts with the address from the previous page, typed before the browser went to a provider, or `usual`. */
export function useCredentials(usual?: () => string | null | undefined): CredentialsFormState {
  const { search, state } = useLocation() as Location<{ email?: string } | null>
  const credentials = useForm(credentialsSchema, { email: state?.email })
  useFilledIn(credentials, () => (search.includes('flow=') && readFormBeforeProvider().email) || usual?.())
  return credentials
}

/** Usable before the flow arrives. */
export function CredentialsForm(props: CredentialsFormProps) {
  const { flowForm, credentials, submission, isNew = false } = props
  const keepAddress = useTypedAddress(credentials)
  const hydrated = useHydrated()
  // The prerendered page has no settings and no flow.
  const offered = hydrated ? offeredProviders(flowForm.flow) : product().demoProviders
  const flowError = flowErrorOf(flowForm, credentials.wasSubmitted)
  const isCancelled = flowForm.flow && !credentials.wasSubmitted && wasCancelled(flowForm.flow)

  return (
    <div className="grid gap-6">
      <form {...credentials.props(submission.submit)} className="grid gap-5">
        <Notice>{isCancelled && entryTexts[isNew ? 'cancelledSignUp' : 'cancelled']}</Notice>
        <ErrorSummary
          form={credentials}
          labels={{ email: fieldTexts.email, password: fieldTexts.password, ...props.labels }}
        />
        <EmailField
          {...credentials.field('email')}
          id="email"
          onBlur={keepAddress}
          besideFirst={props.besideEmail}
          autoComplete={isNew ? 'username' : 'username webauthn'}
        />
        <PasswordField
          {...credentials.password('password')}
          id="password"
          label={fieldTexts.password}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          hint={props.hint}
          ruleInHint={tooShort()}
          beside={props.beside}
          // The previous page knew the address.
          autoFocus={!isNew && Boolean(credentials.texts.email)}
        />
        {props.choice}
        <FormError retry={retryOf(credentials, flowForm)}>
          {credentials.failure?.message ?? flowError}
        </FormError>
        {props.belowError}
        <Button
          type="submit"
          full
          busy={credentials.isSubmitting ? props.texts.working : undefined}
          aria-describedby={isNew ? undefined : 'last-password'}
        >
          <MethodLabel method={isNew ? undefined : 'password'}>{props.submit}</MethodLabel>
        </Button>
      </form>
      <ProviderButtons verb={props.texts.verb} submission={submission} offered={offered} last={props.last}>
        {props.children}
      </ProviderButtons>
    </div>
  )
}
