import type { LoginFlow } from '@ory/client-fetch'
import { type Action, type FlowForm, type IdentityService, useAuth, useLogin } from '@ostiary/react'
import {
  fieldErrorTexts,
  findInput,
  formErrorTexts,
  hasPasskeys,
  loginUrl,
  offersPasskeys,
  traitsOf,
  useService,
} from '@ostiary/react/internal'
import { useMutation } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { failureOf } from '../../flow/failures.ts'
import { offeredProviders, ProviderMark } from '../../flow/providers.tsx'
import { failureTexts } from '../../texts/failures.ts'
import { layoutTexts } from '../../texts/layout.ts'
import { AddressSentence } from '../../ui/address.tsx'
import { leaveFor } from '../../ui/browser.ts'
import { ActionButton, Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/form/fields.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { z } from '../../ui/form/schema.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { PasskeyIcon } from '../../ui/icons.tsx'
import { confirmTexts as texts } from './texts.ts'

type Confirmation = FlowForm<LoginFlow>
type Values = { password: string }

const schema = z.object({ password: z.string().check(z.minLength(1, texts.empty)) })

interface ConfirmDialogProps {
  url: string | undefined
  onClose(isConfirmed: boolean): void
}

export function ConfirmDialog({ url, onClose }: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { session, refetch } = useAuth()
  const { email } = traitsOf(session?.identity)
  const confirmation = useLogin({
    refresh: true,
    onNext: async ({ kind }) => {
      if (kind === 'done') onClose(true)
      if (kind === 'sign-in') await refetch()
    },
  })
  const { flow, isUnreachable, open } = confirmation
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    // Gives the focus back.
    return () => current?.close()
  }, [])
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
        {flow && <ConfirmationMethods confirmation={confirmation} flow={flow} email={email} url={url} />}
        <Button look="neutral" full onClick={() => onClose(false)}>
          {layoutTexts.cancel}
        </Button>
      </div>
    </dialog>
  )
}

interface ConfirmationMethodsProps extends Pick<ConfirmDialogProps, 'url'> {
  confirmation: Confirmation
  flow: LoginFlow
  email: string | undefined
}

function ConfirmationMethods({ confirmation, flow, email, url }: ConfirmationMethodsProps) {
  const service = useService()
  const form = useForm<Values>(schema)
  const proving = useMutation({ mutationFn: () => send({ method: 'passkey' }) })
  const hasPassword = findInput(flow, 'password') !== undefined

  async function send(action: Action, typed: Partial<Values> = {}): Promise<void> {
    const result = await confirmation.submit(action, { identifier: email, ...typed })
    if (result.kind === 'form') return show(result.flow)
    const failure = failureOf(result, texts.failed)
    if (failure) form.fail(failure.message, failure.canRetry)
  }

  function show(flow: LoginFlow) {
    const password = fieldErrorTexts(flow, 'password')
    if (password) return form.refuse({ password })
    form.fail(formErrorTexts(flow) ?? texts.failed)
    form.focus('password')
  }

  return (
    <form {...form.props((typed) => send({ method: 'password' }, typed))} className="grid gap-4">
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
      <FormError retry={form.failure?.canRetry ? 'submit' : undefined}>
        {confirmation.passkeyProblem === 'failed' ? texts.failed : form.failure?.message}
      </FormError>
      {hasPassword && <ActionButton type="submit" full words={texts.submit} isBusy={form.isSubmitting} />}
      {hasPasskeys() && offersPasskeys(flow) && (
        <ActionButton
          look={hasPassword ? 'neutral' : 'main'}
          full
          icon={<PasskeyIcon />}
          words={texts.passkey}
          isBusy={proving.isPending}
          onClick={() => proving.mutate()}
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
