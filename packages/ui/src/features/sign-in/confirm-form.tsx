import type { LoginFlow } from '@ory/client-fetch'
import { findInput, findMessage, formErrorTexts } from '@ostiary/react/internal'
import * as messageIds from '@ostiary/react/message-ids'
import { useState } from 'react'
import { retryOf } from '../../flow/failures.ts'
import { offeredProviders } from '../../flow/providers.tsx'
import { ReturnTargetLink } from '../../flow/return-target.tsx'
import { credentialsSchema } from '../../flow/rules.ts'
import { ProviderButtons } from '../../forms/credentials/method-buttons.tsx'
import * as paths from '../../paths.ts'
import { fieldTexts } from '../../texts/fields.ts'
import { AddressSentence } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/form/fields.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { PageIntro, usePageTitle } from '../../ui/page.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { passkeyButtonTexts, signInTexts, confirmFormTexts as texts } from './texts.ts'
import { type LoginFlowForm, useSignIn } from './use-sign-in.ts'

interface ConfirmFormProps {
  login: LoginFlowForm
  flow: LoginFlow
  email: string | undefined
}

export function ConfirmForm({ login, flow, email }: ConfirmFormProps) {
  const credentials = useForm(credentialsSchema, { email })
  const submission = useSignIn(login, credentials)
  const words = wordsFor(flow)
  const offered = offeredProviders(flow)
  const hasPassword = findInput(flow, 'password') !== undefined
  const [other] = useState(() => linkOf(flow)?.provider ?? appOf(flow))
  usePageTitle(words.title)
  const error = credentials.failure?.message ?? formErrorTexts(flow)
  return (
    <div className="grid gap-6">
      <PageIntro
        title={words.title}
        lead={
          <AddressSentence
            before={hasPassword ? words.before : words.beforeProvider}
            after={words.after(other)}
          >
            {email ?? texts.unknownAddress}
          </AddressSentence>
        }
      />
      <form {...credentials.props(submission.submit)} className="grid gap-5">
        <input name="email" defaultValue={email} type="text" autoComplete="username" readOnly hidden />
        {hasPassword && (
          <PasswordField
            {...credentials.password('password')}
            id="password"
            label={fieldTexts.password}
            autoComplete="current-password"
            beside={
              !flow.refresh && (
                <ReturnTargetLink to={paths.recovery} state={{ email }} className="link text-14">
                  {signInTexts.forgot}
                </ReturnTargetLink>
              )
            }
          />
        )}
        <FormError retry={retryOf(credentials, login)}>{error}</FormError>
        {hasPassword && (
          <Button type="submit" full busy={credentials.isSubmitting ? texts.working : undefined}>
            {words.button}
          </Button>
        )}
      </form>
      <ProviderButtons verb={texts.verb} submission={submission} offered={offered} alone={!hasPassword}>
        <PasskeyButton login={login} submission={submission} words={passkeyButtonTexts.confirm} />
      </ProviderButtons>
      <p className="text-14 text-muted">
        <span>{words.question}</span>{' '}
        <ReturnTargetLink to={words.to} state={{ email }} className="link">
          {words.back}
        </ReturnTargetLink>
      </p>
    </div>
  )
}

function wordsFor(flow: LoginFlow) {
  if (flow.refresh) return flow.oauth2_login_challenge ? texts.continuing : texts.confirming
  return findMessage(flow, messageIds.provedElsewhere) ? texts.finishing : texts.linking
}

/** The app that uses the OAuth 2.0 server. Its developer chose the name, which must not pass as our text. */
function appOf({ oauth2_login_request: request }: LoginFlow): string | undefined {
  const name = request?.client?.client_name?.slice(0, 60).replace(/[\p{C}\p{Zl}\p{Zp}“”"]+/gu, ' ')
  return name?.trim() ? `“\u2068${name.trim()}\u2069”` : undefined
}

interface Link {
  readonly duplicate_identifier: string
  readonly provider: string
}

/** The address with an account and the provider to connect. Only the first message has them. */
export function linkOf(flow: LoginFlow): Link | undefined {
  return findMessage(flow, messageIds.signInToLink)?.context as Link | undefined
}

export function isLinking(flow: LoginFlow): boolean {
  return (
    linkOf(flow) !== undefined ||
    flow.ui.nodes.some(({ meta }) => meta.label?.id === messageIds.signInAndLink)
  )
}
