import type { LoginFlow, UpdateLoginFlowBody } from '@ory/client-fetch'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { readSettings } from '../../api/env.ts'
import { traitsOf, useAuth } from '../../auth/use-auth.ts'
import { identityClient } from '../../flow/client.ts'
import { loginFlow } from '../../flow/kinds.ts'
import {
  fieldErrorTexts,
  formErrorTexts,
  sentenceFor,
  UNREACHABLE,
  UNREACHABLE_KEPT,
} from '../../flow/messages.ts'
import { findInput, getCsrfToken } from '../../flow/nodes.ts'
import { passkeyQuestion } from '../../flow/passkey-question.ts'
import { isCancelled, provePasskey } from '../../flow/passkeys.ts'
import { offeredProviders, providerMarks, providerNames } from '../../flow/providers.tsx'
import { type Reply, submitFlow } from '../../flow/submit-flow.ts'
import { layoutTexts } from '../../texts/layout.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField, useReveal } from '../../ui/form/fields.tsx'
import { FormError, type FormMessage } from '../../ui/form/form-error.tsx'
import { Address } from '../../ui/form/form-parts.tsx'
import { PasskeyIcon } from '../../ui/icons.tsx'
import { confirmTexts as texts } from './texts.ts'

interface ConfirmDialogProps {
  url: string | undefined
  onAnswer(isConfirmed: boolean): void
}

/** Asks for a credential over the page that needs it; the change is sent again afterwards. */
export function ConfirmDialog({ url, onAnswer }: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { session } = useAuth()
  const { email } = traitsOf(session?.identity)
  const opening = useQuery({
    queryKey: ['flow', 'confirm'],
    queryFn: () => identityClient().createBrowserLoginFlow({ refresh: true }),
    retry: false,
    gcTime: 0,
  })
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby="confirm-title"
      onCancel={(event) => {
        event.preventDefault()
        onAnswer(false)
      }}
      className="m-auto w-[calc(100%-2rem)] max-w-112 rounded-card border border-line bg-surface p-6 text-ink shadow-dialog backdrop:bg-veil sm:p-8"
    >
      <div className="grid gap-6">
        <div className="grid gap-2">
          <h2 id="confirm-title" className="text-22">
            {texts.title}
          </h2>
          <p className="text-muted">
            {texts.before} <Address>{email ?? texts.unknown}</Address>
            {texts.after}
          </p>
        </div>
        <FormError retry={() => void opening.refetch()}>
          {opening.isError ? UNREACHABLE : undefined}
        </FormError>
        {opening.data && <Ways first={opening.data} email={email} url={url} onAnswer={onAnswer} />}
        <Button look="neutral" full onClick={() => onAnswer(false)}>
          {layoutTexts.cancel}
        </Button>
      </div>
    </dialog>
  )
}

interface WaysProps extends ConfirmDialogProps {
  first: LoginFlow
  email: string | undefined
}

function Ways({ first, email, url, onAnswer }: WaysProps) {
  const { flow, error, busy, send, prove } = useProof(first, () => onAnswer(true))
  const reveal = useReveal()
  const field = useRef<HTMLInputElement>(null)
  const question = passkeyQuestion(flow)
  const offered = offeredProviders(flow, 'provider')
  const hasPassword = findInput(flow, 'password') !== undefined
  useEffect(() => {
    if (error) field.current?.focus()
  }, [error])

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = field.current?.value ?? ''
    if (busy || password === '') return field.current?.focus()
    reveal.hide()
    const identifier = email ?? ''
    void send('password', (csrf_token) => ({ method: 'password', identifier, password, csrf_token }))
  }

  return (
    <form noValidate method="post" onSubmit={onSubmit} className="grid gap-4">
      <input type="text" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
      {hasPassword && (
        <PasswordField
          ref={field}
          id="current-password"
          name="password"
          label={texts.password}
          autoComplete="current-password"
          autoFocus
          shown={reveal.shown}
          onToggle={reveal.onToggle}
          error={error?.of === 'field' ? error.message : undefined}
        />
      )}
      <FormError>{error?.of === 'form' ? error.message : undefined}</FormError>
      {hasPassword && (
        <Button type="submit" full busy={busy === 'password' ? texts.submit[1] : undefined}>
          {texts.submit[0]}
        </Button>
      )}
      {question && (
        <Button
          look={hasPassword ? 'neutral' : 'main'}
          full
          busy={busy === 'passkey' ? texts.passkey[1] : undefined}
          onClick={() => void prove(question)}
        >
          <PasskeyIcon />
          {texts.passkey[0]}
        </Button>
      )}
      {offered.map((provider) => {
        const Mark = providerMarks[provider]
        return (
          // The service stores the change and applies it when the provider redirects back.
          <Button
            key={provider}
            look="neutral"
            full
            onClick={() => location.assign(url ?? confirmAndReturn())}
          >
            <Mark />
            {texts.provider(providerNames[provider])}
          </Button>
        )
      })}
    </form>
  )
}

/** If the service stores no change, the provider redirects back to this page. */
function confirmAndReturn(): string {
  const query = new URLSearchParams({ refresh: 'true', return_to: location.href })
  return `${readSettings().identity_url}/self-service/login/browser?${query}`
}

type ProofError =
  | { readonly of: 'field'; readonly message: string }
  | { readonly of: 'form'; readonly message: FormMessage }

function useProof(first: LoginFlow, onProved: () => void) {
  const [flow, setFlow] = useState(first)
  const [error, setError] = useState<ProofError>()
  const [busy, setBusy] = useState<'password' | 'passkey'>()
  const { refetch } = useAuth()

  async function submit(build: (csrf_token: string) => UpdateLoginFlowBody): Promise<ProofError | undefined> {
    const reply = await submitFlow(loginFlow, flow.id, build(getCsrfToken(flow)))
    if (reply.kind === 'sign-in') await refetch()
    if (reply.kind === 'form') setFlow(reply.flow)
    return errorOf(reply)
  }

  async function send(by: 'password' | 'passkey', build: (csrf_token: string) => UpdateLoginFlowBody) {
    setBusy(by)
    setError(undefined)
    const failure = await submit(build).catch(
      (thrown: unknown): ProofError => ({ message: sentenceFor(thrown, texts.failed), of: 'form' }),
    )
    setBusy(undefined)
    if (failure) setError(failure)
    else onProved()
  }

  async function prove(question: string) {
    setBusy('passkey')
    setError(undefined)
    try {
      const passkey_login = await provePasskey(question)
      await send('passkey', (csrf_token) => ({ method: 'passkey', passkey_login, csrf_token }))
    } catch (thrown) {
      setBusy(undefined)
      // Closing the browser's dialog is not an error.
      if (!isCancelled(thrown)) setError({ message: sentenceFor(thrown, texts.failed), of: 'form' })
    }
  }

  return { flow, error, busy, send, prove }
}

function errorOf(reply: Reply<LoginFlow>): ProofError | undefined {
  switch (reply.kind) {
    case 'done':
      return undefined
    case 'unreachable':
      return { message: UNREACHABLE_KEPT, of: 'form' }
    case 'refused':
      return { message: reply.reason ?? texts.failed, of: 'form' }
    case 'form': {
      const ofField = fieldErrorTexts(reply.flow, 'password')
      if (ofField) return { message: ofField, of: 'field' }
      return { message: formErrorTexts(reply.flow) ?? texts.failed, of: 'form' }
    }
    default:
      return { message: texts.failed, of: 'form' }
  }
}
