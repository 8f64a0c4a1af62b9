import type { LoginFlow, RegistrationFlow } from '@ory/client-fetch'
import type { Action, FlowForm, SubmitResult } from '@ostiary/react'
import {
  fieldErrorTexts,
  findMessage,
  findVerificationId,
  formTexts,
  otherFieldErrorTexts,
  useRestored,
} from '@ostiary/react/internal'
import * as messageIds from '@ostiary/react/message-ids'
import { useEffect, useEffectEvent, useState } from 'react'
import { failureOf } from '../../flow/failures.ts'
import type { Provider } from '../../flow/providers.tsx'
import { rememberFormBeforeProvider, useReturnTarget } from '../../flow/return-target.tsx'
import { type Credentials, credentialsSchema } from '../../flow/rules.ts'
import { z } from '../../ui/form/schema.ts'
import { type FormState, LEAVING } from '../../ui/form/use-form.ts'
import { entryTexts } from './texts.ts'

export type CredentialsFormState = FormState<Credentials>

type EntryFlow = LoginFlow | RegistrationFlow

interface CredentialsMethod<F extends EntryFlow> {
  /** The name of the address in the protocol. */
  readonly emailField: string
  readonly failed: string
  /** Fields of the page besides email and password. */
  otherFields?(flow: F): readonly string[]
  onSubmit?: ((email: string) => void) | undefined
  onRefused?(): void
}

export type CredentialsSubmit = ReturnType<typeof useCredentialsSubmit>

/** Sends a form of email and password, or another method, and shows errors in the form. */
export function useCredentialsSubmit<F extends EntryFlow>(
  form: FlowForm<F>,
  credentials: CredentialsFormState,
  method: CredentialsMethod<F>,
) {
  const { fail, read } = credentials
  const { after, login_challenge } = useReturnTarget()
  const [busy, setBusy] = useState<string>()
  useRestored(() => setBusy(undefined))
  // Before a provider, another flow may have to be opened.
  const isSending = form.status === 'submitting' || busy !== undefined

  async function send(action: Action, typed: Partial<Credentials>, sending: Sending<F> = {}) {
    const { failed = method.failed, canRetry = false, on } = sending
    const data = credentials.data()
    data.set(method.emailField, typed.email ?? read().email ?? '')
    const result = await form.submit(action, data, { on })
    show(result, failed, canRetry)
    return result
  }

  function show(result: SubmitResult<F>, failed = method.failed, canRetry = false) {
    const failure = failureOf(result, failed)
    if (failure) fail(failure.message, failure.canRetry && canRetry)
    if (result.kind === 'done' && !leadsOn(result)) {
      console.error('The end of the flow leads to no verification flow')
      fail(failed)
    }
    if (result.kind === 'form') refuse(result.flow, failed, method, credentials)
  }

  const { suggestion } = form
  const showSuggestion = useEffectEvent(show)
  useEffect(() => {
    if (suggestion) showSuggestion(suggestion)
  }, [suggestion])

  /** Undefined if the service refuses that `return_to`. Then the page's flow is used. */
  async function beginReturning(): Promise<F | undefined> {
    // A provider redirects to the flow's `return_to`, by default the dashboard, or to the OAuth 2.0 server.
    if (after === undefined || login_challenge) return undefined
    return await form.begin({ returnTo: new URL(after, location.href).href }).catch(() => undefined)
  }

  async function start({ id, label }: Provider, typed: Partial<Credentials> = {}) {
    if (isSending) return
    setBusy(id)
    rememberFormBeforeProvider({ kind: form.kind, email: read().email })
    const action = { method: 'oidc', name: 'provider', value: id }
    const failed = entryTexts.unavailable(label)
    const result = await send(action, typed, { failed, on: await beginReturning() })
    // Stays busy while the browser leaves.
    if (result.kind === 'redirect') return
    setBusy(undefined)
    console.warn(`Sign in with ${label} could not begin:`, result.kind)
  }

  return {
    busy,
    /** Another way must wait. */
    isSending,
    start,
    prove: (typed: Partial<Credentials> = {}) => send({ method: 'passkey' }, typed),
    async submit(typed: Credentials) {
      method.onSubmit?.(typed.email)
      const result = await send({ method: 'password' }, typed, { canRetry: true })
      return leadsOn(result) ? LEAVING : undefined
    },
  }
}

/** The specification: the end of a registration must have a verification flow, unless it logs in. */
function leadsOn(result: SubmitResult<EntryFlow>): boolean {
  if (result.kind !== 'done') return false
  return result.hasSession || findVerificationId(result.continueWith) !== undefined
}

interface Sending<F> {
  readonly failed?: string
  readonly canRetry?: boolean
  readonly on?: F | undefined
}

function refuse<F extends EntryFlow>(
  flow: F,
  failed: string,
  { emailField, otherFields, onRefused }: CredentialsMethod<F>,
  credentials: CredentialsFormState,
): void {
  const others = otherFields?.(flow) ?? []
  const errors: Record<string, string | undefined> = {
    email: fieldErrorTexts(flow, emailField),
    password: fieldErrorTexts(flow, 'password'),
  }
  for (const name of others) errors[name] = fieldErrorTexts(flow, name)
  const isMarked = Object.values(errors).some(Boolean)
  // The provider is not configured. Only a developer can fix that.
  const isNotSetUp = findMessage(flow, messageIds.noLoginMethod, messageIds.noProvider)
  const texts = isNotSetUp ? failed : textsAbove(flow, [emailField, 'password', ...others])
  if (isMarked) credentials.refuse(errors)
  if (!texts && isMarked) return
  credentials.fail(texts ?? failed)
  // A rate limit has not checked what was typed.
  if (!findMessage(flow, messageIds.tooManyAttempts)) onRefused?.()
}

function textsAbove(flow: EntryFlow, shownFields: readonly string[]) {
  return formTexts(flow) ?? otherFieldErrorTexts(flow, ...shownFields)
}

/** The typed address for another method. Undefined if invalid, and the field shows the error. */
export function validateEmail({ texts, refuse }: CredentialsFormState): string | undefined {
  const email = z.safeParse(credentialsSchema.shape.email, texts.email ?? '')
  if (email.success) return email.data
  refuse({ email: email.error.issues[0]?.message })
  return undefined
}
