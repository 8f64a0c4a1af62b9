import type { LoginFlow } from '@ory/client-fetch'
import { useState } from 'react'
import { ProviderButtons } from '../../entry/provider-buttons.tsx'
import { retryOf } from '../../flow/flow-error.ts'
import { findInput } from '../../flow/inputs.ts'
import { formErrorTexts } from '../../flow/messages.ts'
import { OnwardLink } from '../../flow/onward-link.tsx'
import { offeredProviders } from '../../flow/providers.ts'
import { useCredentialsForm } from '../../flow/use-credentials-form.ts'
import * as paths from '../../paths.ts'
import { confirmFormTexts as texts } from '../../texts/confirm-form.ts'
import { passkeyButtonTexts } from '../../texts/entry.ts'
import { fieldTexts } from '../../texts/fields.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PageHeading, usePageTitle } from '../../ui/page.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { linkOf } from './link-of.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { type LoginUse, useSignIn } from './use-sign-in.ts'

interface ConfirmFormProps {
  login: LoginUse
  flow: LoginFlow
  /** If known. */
  email: string | undefined
}

/** A known user proves who they are: before an important change, or to connect a provider. */
export function ConfirmForm({ login, flow, email }: ConfirmFormProps) {
  const credentials = useCredentialsForm(email)
  const { reveal, isSubmitting } = credentials
  const entry = useSignIn(login, credentials)
  const words = flow.refresh ? texts.confirming : texts.linking
  const offered = offeredProviders(flow, 'provider')
  const hasPassword = findInput(flow, 'password') !== undefined
  const [provider] = useState(() => linkOf(flow)?.provider ?? texts.unknownProvider)
  usePageTitle(words.title, credentials.hasError)
  const error = credentials.failure?.message ?? formErrorTexts(flow)
  return (
    <div className="grid gap-6">
      <div className="grid gap-2">
        <PageHeading small>{words.title}</PageHeading>
        <p className="text-muted">
          {hasPassword ? words.before : words.beforeProvider}{' '}
          <Address>{email ?? texts.unknownAddress}</Address>
          {words.after(provider)}
        </p>
      </div>
      <form {...credentials.props(entry.submit)} className="grid gap-5">
        <input name="email" defaultValue={email} type="text" autoComplete="username" readOnly hidden />
        {hasPassword && (
          <PasswordField
            {...credentials.field('password')}
            id="password"
            shown={reveal.shown}
            onToggle={reveal.onToggle}
            label={fieldTexts.password}
            autoComplete="current-password"
          />
        )}
        <FormError retry={retryOf(credentials, login)}>{error}</FormError>
        {hasPassword && (
          <Button type="submit" full busy={isSubmitting ? texts.working : undefined}>
            {words.button}
          </Button>
        )}
      </form>
      <PasskeyButton login={login} prove={entry.prove} label={passkeyButtonTexts.confirm} />
      {offered.length > 0 && (
        <ProviderButtons verb={texts.verb} entry={entry} offered={offered} alone={!hasPassword} />
      )}
      <p className="text-14 text-muted">
        {texts.changedMind}{' '}
        <OnwardLink to={flow.refresh ? paths.settings : paths.login} className="link">
          {words.back}
        </OnwardLink>
      </p>
    </div>
  )
}
