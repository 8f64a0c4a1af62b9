import type { LoginFlow } from '@ory/client-fetch'
import { type ReactNode, useState } from 'react'
import { ProviderButtons } from '../../entry/provider-buttons.tsx'
import { retryOf } from '../../flow/flow-error.ts'
import { findInput } from '../../flow/inputs.ts'
import { formErrorTexts } from '../../flow/messages.ts'
import { OnwardLink } from '../../flow/onward-link.tsx'
import { offeredProviders } from '../../flow/providers.ts'
import { useCredentialsForm } from '../../flow/use-credentials-form.ts'
import * as paths from '../../paths.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PageHeading, usePageTitle } from '../../ui/page.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { linkOf } from './link-of.ts'
import { type LoginUse, useSignIn } from './use-sign-in.ts'

interface ConfirmFormProps {
  login: LoginUse
  flow: LoginFlow
  /** As far as it is known. */
  email: string | undefined
}

/** A known user proves who they are: before an important change, or to connect a provider. */
export function ConfirmForm({ login, flow, email }: ConfirmFormProps) {
  const credentials = useCredentialsForm(email)
  const { reveal, isSubmitting } = credentials
  const entry = useSignIn(login, credentials)
  const { title, words, button, back } = flow.refresh ? confirming : linking
  const offered = offeredProviders(flow, 'provider')
  const hasPassword = findInput(flow, 'password') !== undefined
  const [provider] = useState(() => linkOf(flow)?.provider ?? 'the other one')
  usePageTitle(title, credentials.hasError)
  const error = credentials.failure?.message ?? formErrorTexts(flow)
  return (
    <div className="grid gap-6">
      <div className="grid gap-2">
        <PageHeading small>{title}</PageHeading>
        <p className="text-muted">
          {words(<Address>{email ?? 'Your address'}</Address>, provider, hasPassword)}
        </p>
      </div>
      <form {...credentials.props(entry.submit)} className="grid gap-5">
        <input name="email" defaultValue={email} type="text" autoComplete="username" readOnly hidden />
        {hasPassword && (
          <PasswordField
            {...credentials.field('password')}
            shown={reveal.shown}
            onToggle={reveal.onToggle}
            label="Password"
            autoComplete="current-password"
          />
        )}
        <FormError retry={retryOf(credentials, login)}>{error}</FormError>
        {hasPassword && (
          <Button type="submit" full busy={isSubmitting ? 'Confirming…' : undefined}>
            {button}
          </Button>
        )}
      </form>
      {offered.length > 0 && (
        <ProviderButtons verb="Continue" entry={entry} offered={offered} alone={!hasPassword} />
      )}
      <p className="text-14 text-muted">
        Changed your mind?{' '}
        <OnwardLink to={back[0]} className="link">
          {back[1]}
        </OnwardLink>
      </p>
    </div>
  )
}

const confirming = {
  title: "Confirm it's you",
  words: (email: ReactNode, _: string, hasPassword: boolean) => (
    <>
      {hasPassword ? <>Enter the password for {email}.</> : <>Confirm that you are {email}.</>} We'll then
      apply your change.
    </>
  ),
  button: 'Continue',
  back: [paths.settings, 'Back to the settings'],
} as const

const linking = {
  title: 'You already have an account',
  words: (email: ReactNode, provider: string) => (
    <>
      {email} has an account here. Sign in once to connect {provider}.
    </>
  ),
  button: 'Sign in and connect',
  back: [paths.login, 'Back to sign in'],
} as const
