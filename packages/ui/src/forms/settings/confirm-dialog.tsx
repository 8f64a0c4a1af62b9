import type { LoginFlow, UpdateLoginFlowBody } from '@ory/client-fetch'
import { confirmationFlow, type IdentityService, traitsOf, type UsedFlow, useAuth } from '@ostiary/react'
import {
  fieldErrorTexts,
  findInput,
  formErrorTexts,
  isCancelled,
  loginUrl,
  passkeyQuestion,
  provePasskey,
  useService,
} from '@ostiary/react/internal'
import { useEffect, useRef, useState } from 'react'
import { failureOf, sentenceFor } from '../../flow/failures.ts'
import { offeredProviders, ProviderMark } from '../../flow/providers.tsx'
import { useFlow } from '../../flow/use-flow.ts'
import { failureTexts } from '../../texts/failures.ts'
import { layoutTexts } from '../../texts/layout.ts'
import { AddressSentence } from '../../ui/address.tsx'
import { leaveFor } from '../../ui/browser.ts'
import { ActionButton, Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/form/fields.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { z } from '../../ui/form/schema.ts'
import { type FormUse, useForm } from '../../ui/form/use-form.ts'
import { PasskeyIcon } from '../../ui/icons.tsx'
import { confirmTexts as texts } from './texts.ts'

type Confirmation = UsedFlow<LoginFlow, UpdateLoginFlowBody>
type Values = { password: string }

const schema = z.object({ password: z.string().check(z.minLength(1, texts.empty)) })

interface ConfirmDialogProps {
  url: string | undefined
  onClose(isConfirmed: boolean): void
}

export function ConfirmDialog({ url, onClose }: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { session } = useAuth()
  const { email } = traitsOf(session?.identity)
  const confirmation = useFlow(confirmationFlow)
  const { flow, isUnreachable, open } = confirmation
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby="confirm-title"
      onCancel={(event) => {
        event.preventDefault()
        onClose(false)
      }}
      className="m-auto w-[calc(100%-2rem)] max-w-112 rounded-card border border-line bg-surface p-6 text-ink shadow-dialog backdrop:bg-veil sm:p-8"
    >
      <div className="grid gap-6">
        <div className="grid gap-2">
          <h2 id="confirm-title" className="text-22">
            {texts.title}
          </h2>
          <p className="text-muted">
            <AddressSentence {...texts}>{email ?? texts.unknown}</AddressSentence>
          </p>
        </div>
        <FormError retry={() => void open()}>
          {isUnreachable && !flow ? failureTexts.unreachable : undefined}
        </FormError>
        {flow && (
          <ConfirmationMethods
            confirmation={confirmation}
            flow={flow}
            email={email}
            url={url}
            onClose={onClose}
          />
        )}
        <Button look="neutral" full onClick={() => onClose(false)}>
          {layoutTexts.cancel}
        </Button>
      </div>
    </dialog>
  )
}

interface ConfirmationMethodsProps extends ConfirmDialogProps {
  confirmation: Confirmation
  flow: LoginFlow
  email: string | undefined
}

function ConfirmationMethods({ confirmation, flow, email, url, onClose }: ConfirmationMethodsProps) {
  const service = useService()
  const form = useForm<Values>(schema)
  const { send, prove, isProving } = useProof(confirmation, form, () => onClose(true))
  const question = passkeyQuestion(flow)
  const hasPassword = findInput(flow, 'password') !== undefined

  function sendPassword({ password }: Values) {
    const identifier = email ?? ''
    return send((csrf_token) => ({ method: 'password', identifier, password, csrf_token }))
  }

  return (
    <form {...form.props(sendPassword)} className="grid gap-4">
      <input type="text" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
      {hasPassword && (
        <PasswordField
          {...form.password('password')}
          id="current-password"
          label={texts.password}
          autoComplete="current-password"
          autoFocus
        />
      )}
      <FormError retry={form.failure?.canRetry ? 'submit' : undefined}>{form.failure?.message}</FormError>
      {hasPassword && <ActionButton type="submit" full words={texts.submit} isBusy={form.isSubmitting} />}
      {question && (
        <ActionButton
          look={hasPassword ? 'neutral' : 'main'}
          full
          icon={<PasskeyIcon />}
          words={texts.passkey}
          isBusy={isProving}
          onClick={() => void prove(question)}
        />
      )}
      {offeredProviders(flow).map(({ id, label }) => (
        // The service applies the pending change when the provider redirects back.
        <Button key={id} look="neutral" full onClick={() => leaveFor(url ?? confirmAndReturn(service))}>
          <ProviderMark id={id} />
          <span>{texts.provider(label)}</span>
        </Button>
      ))}
    </form>
  )
}

/** Without a pending change, the provider redirects to this page. */
function confirmAndReturn(service: IdentityService): string {
  return loginUrl(service, { refresh: 'true', return_to: location.href })
}

function useProof({ submit }: Confirmation, { fail, refuse, focus }: FormUse<Values>, onProved: () => void) {
  const [isProving, setProving] = useState(false)
  const { refetch } = useAuth()

  async function send(build: (csrf_token: string) => UpdateLoginFlowBody): Promise<void> {
    try {
      const reply = await submit({ build })
      if (reply.kind === 'done') return onProved()
      if (reply.kind === 'form') return show(reply.flow)
      if (reply.kind === 'sign-in') await refetch()
      const { message, canRetry } = failureOf(reply, texts.failed)
      fail(message, canRetry)
    } catch (error) {
      fail(sentenceFor(error, texts.failed))
    }
  }

  function show(flow: LoginFlow) {
    const password = fieldErrorTexts(flow, 'password')
    if (password) return refuse({ password })
    fail(formErrorTexts(flow) ?? texts.failed)
    focus('password')
  }

  async function prove(question: string) {
    setProving(true)
    try {
      const passkey_login = await provePasskey(question)
      await send((csrf_token) => ({ method: 'passkey', passkey_login, csrf_token }))
    } catch (error) {
      // Closing the browser's dialog is not an error.
      if (!isCancelled(error)) fail(sentenceFor(error, texts.failed))
    } finally {
      setProving(false)
    }
  }

  return { send, prove, isProving }
}
