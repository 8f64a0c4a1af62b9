import { lazy, Suspense, useRef } from 'react'
import { CredentialsForm } from '../../entry/credentials-form.tsx'
import { findInput, offersCode } from '../../flow/inputs.ts'
import { OnwardLink } from '../../flow/onward-link.tsx'
import type { CredentialsUse } from '../../flow/use-credentials-form.ts'
import * as paths from '../../paths.ts'
import { signInTexts as texts } from '../../texts/entry.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { NewCode } from './new-code.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { type LoginUse, useSignIn } from './use-sign-in.ts'

/** Operators turn it on: its code is loaded then only. */
const CodeButton = lazy(async () => ({ default: (await import('./code-button.tsx')).CodeButton }))
const STAY = 'stay_signed_in'

export function SignInForm({ login, credentials }: { login: LoginUse; credentials: CredentialsUse }) {
  const stay = useRef<HTMLInputElement>(null)
  // Only the embedded service offers this choice.
  const along = () => (stay.current ? { [STAY]: stay.current.checked } : {})
  const entry = useSignIn(login, credentials, along)
  const { flow } = login
  return (
    <CredentialsForm
      used={login}
      credentials={credentials}
      entry={entry}
      title={texts.title}
      working={texts.working}
      verb={texts.title}
      suggests="passkeys"
      beside={
        <OnwardLink to={paths.recovery} state={{ email: credentials.texts.email }} className="link text-14">
          {texts.forgot}
        </OnwardLink>
      }
      choice={
        // It keeps its place until the flow is known.
        (!flow || findInput(flow, STAY)) && <Checkbox ref={stay} name={STAY} label={texts.stay} />
      }
      last={
        flow &&
        offersCode(flow) && (
          <Suspense fallback={<div className="h-11" />}>
            <CodeButton login={login} credentials={credentials} along={along} />
          </Suspense>
        )
      }
    >
      {isRefused(credentials) && <NewCode email={credentials.texts.email ?? ''} />}
      <PasskeyButton login={login} prove={entry.prove} />
    </CredentialsForm>
  )
}

/** A sign-in by password. A rate limit is more than a sentence, and a provider's button submits no form. */
function isRefused({ failure, wasSubmitted }: CredentialsUse): boolean {
  return wasSubmitted && typeof failure?.message === 'string' && !failure.canRetry
}
