import { useVerification } from '@ostiary/react'
import {
  findInput,
  findMessage,
  forgetLastLogin,
  lastEmail,
  lastMethod,
  offersCode,
  useIsShown,
} from '@ostiary/react/internal'
import * as messageIds from '@ostiary/react/message-ids'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useLayoutEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { forgetTypedAddresses, ReturnTargetLink, useReturnTarget } from '../../flow/return-target.tsx'
import { CredentialsForm } from '../../forms/credentials/credentials-form.tsx'
import { entryTexts } from '../../forms/credentials/texts.ts'
import type { CredentialsFormState } from '../../forms/credentials/use-credentials-submit.ts'
import * as paths from '../../paths.ts'
import { CheckboxField } from '../../ui/form/choice-fields.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { newCodeTexts, signInTexts } from './texts.ts'
import { type LoginFlowForm, useSignIn } from './use-sign-in.ts'

/** Lazy, because only some operators enable it. */
const CodeButton = lazy(async () => ({ default: (await import('./code-sign-in.tsx')).CodeButton }))
const STAY = 'stay_signed_in'

interface SignInFormProps {
  submit: string
  login: LoginFlowForm
  credentials: CredentialsFormState
  onSubmit(email: string): void
}

export function SignInForm({ submit, login, credentials, onSubmit }: SignInFormProps) {
  const submission = useSignIn(login, credentials, onSubmit)
  const last = useLastLogin(credentials)
  const { flow } = login
  return (
    <CredentialsForm
      flowForm={login}
      credentials={credentials}
      submission={submission}
      submit={submit}
      texts={signInTexts}
      besideEmail={<LastLogin {...last} />}
      beside={
        <ReturnTargetLink
          to={paths.recovery}
          state={{ email: credentials.texts.email }}
          className="link text-14"
        >
          {signInTexts.forgot}
        </ReturnTargetLink>
      }
      belowError={
        credentials.failure &&
        flow &&
        findMessage(flow, messageIds.invalidCredentials) && <NewCode email={credentials.texts.email ?? ''} />
      }
      choice={
        // Keeps its place until the flow is known.
        (!flow || findInput(flow, STAY)) && <CheckboxField name={STAY} label={signInTexts.stay} />
      }
      last={
        flow &&
        offersCode(flow) && (
          <Suspense fallback={<div className="h-11" />}>
            <CodeButton login={login} credentials={credentials} />
          </Suspense>
        )
      }
    >
      <PasskeyButton login={login} submission={submission} />
    </CredentialsForm>
  )
}

function LastLogin({ state, forget }: ReturnType<typeof useLastLogin>) {
  return (
    <>
      {state === 'known' && (
        <span className="text-14 text-muted">
          <span>{signInTexts.notYou}</span>{' '}
          <button type="button" onClick={forget} className="link">
            {signInTexts.forget}
          </button>
        </span>
      )}
      <span role="status" className="text-14 text-muted">
        {state === 'forgotten' ? signInTexts.forgotten : undefined}
      </span>
    </>
  )
}

function useLastLogin(credentials: CredentialsFormState) {
  const [state, setState] = useState<'known' | 'forgotten'>()
  // The prerendered page knows none.
  useLayoutEffect(() => {
    if (lastEmail() || lastMethod()) setState('known')
  }, [])
  function forget() {
    if (credentials.read().email === lastEmail()) credentials.write('email', '')
    forgetLastLogin()
    forgetTypedAddresses()
    setState('forgotten')
    credentials.focus('email')
  }
  return { state, forget }
}

/**
 * For a user who has not verified the address yet. Shown after every refused login, so as not to reveal which
 * accounts exist.
 */
function NewCode({ email }: { email: string }) {
  const { begin } = useVerification({ enabled: false })
  const navigate = useNavigate()
  const onward = useReturnTarget()
  const isShown = useIsShown()
  const { mutate, isPending, isError } = useMutation({
    async mutationFn() {
      const { id } = await begin()
      if (isShown()) await navigate(paths.verification(id), { state: { ...onward, email } })
    },
  })
  return (
    <p className="-mt-3 text-14 text-muted">
      <span>{newCodeTexts.question}</span>{' '}
      <button type="button" aria-disabled={isPending} onClick={() => mutate()} className="link">
        {isPending ? entryTexts.wait : newCodeTexts.open}
      </button>
      <span>.</span>
      <span role="alert">{isError && ` ${newCodeTexts.failed}`}</span>
    </p>
  )
}
