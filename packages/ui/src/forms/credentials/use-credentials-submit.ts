import type {
  ContinueWith,
  LoginFlow,
  RegistrationFlow,
  UpdateLoginFlowBody,
  UpdateRegistrationFlowBody,
} from '@ory/client-fetch'
import { type Reply, type UsedFlow, useAuth } from '@ostiary/react'
import {
  fieldErrorTexts,
  findMessage,
  formTexts,
  otherFieldErrorTexts,
  useRestored,
} from '@ostiary/react/internal'
import * as messageIds from '@ostiary/react/message-ids'
import { useState } from 'react'
import { useNext } from '../../auth/use-next.ts'
import { failureOf, sentenceFor } from '../../flow/failures.ts'
import type { Provider } from '../../flow/providers.tsx'
import { rememberForm, useReturnTarget } from '../../flow/return-target.tsx'
import { type Credentials, credentialsSchema } from '../../flow/rules.ts'
import { leaveFor } from '../../ui/browser.ts'
import { z } from '../../ui/form/schema.ts'
import { type FormUse, LEAVING } from '../../ui/form/use-form.ts'
import { entryTexts } from './texts.ts'

export type CredentialsUse = FormUse<Credentials>

type EntryFlow = LoginFlow | RegistrationFlow
type EntryBody = UpdateLoginFlowBody | UpdateRegistrationFlowBody

interface CredentialsMethod<F extends EntryFlow> {
  readonly emailField: string
  readonly failed: string
  otherFields(flow: F): readonly string[]
  build(credentials: Credentials, csrf_token: string): EntryBody
  extraFields?(): object
  onDone(items: readonly ContinueWith[], hasSession: boolean): Promise<void>
  onRefused?(): void
}

interface Failing {
  readonly failed: string
  readonly onRefused?: () => void
  readonly canRetry: boolean
}

type PasskeyAnswer =
  | { readonly passkey_login: string }
  | { readonly passkey_register: string; readonly traits: object }

export type CredentialsSubmit = ReturnType<typeof useCredentialsSubmit>

export function useCredentialsSubmit<F extends EntryFlow>(
  usedFlow: UsedFlow<F, EntryBody>,
  credentials: CredentialsUse,
  method: CredentialsMethod<F>,
) {
  const { fail } = credentials
  const handleReply = useReplyHandler<F>(credentials, method)
  const { after, login_challenge } = useReturnTarget()
  const [busy, setBusy] = useBusyProvider()
  const isSending = credentials.isSubmitting || busy !== undefined

  async function send(build: (csrf_token: string) => EntryBody, failing: Failing, on?: F) {
    try {
      const withChoices = (csrf_token: string) => ({ ...build(csrf_token), ...method.extraFields?.() })
      const reply = await usedFlow.submit({ build: withChoices, on })
      await handleReply(reply, failing)
      return reply
    } catch (error) {
      fail(sentenceFor(error, failing.failed))
      return undefined
    }
  }

  /** Undefined if the service refuses that `return_to`. Then the page's flow is used. */
  async function beginReturning(): Promise<F | undefined> {
    // A provider redirects to the flow's `return_to`, by default the dashboard, or to the OAuth 2.0 server.
    if (after === undefined || login_challenge) return undefined
    return await usedFlow.begin({ returnTo: new URL(after, location.href).href }).catch(() => undefined)
  }

  async function start({ id: provider, label }: Provider, traits?: object) {
    if (isSending) return
    setBusy(provider)
    rememberForm({ kind: usedFlow.kind, email: credentials.read().email })
    const failed = entryTexts.unavailable(label)
    const reply = await send(
      (csrf_token) => ({ method: 'oidc', provider, csrf_token, traits }),
      { failed, canRetry: false },
      await beginReturning(),
    )
    // Stays busy while the browser leaves. A second press would start a second login.
    if (reply?.kind === 'go') return
    setBusy(undefined)
    console.warn(`Sign in with ${label} could not begin:`, reply?.kind ?? 'refused')
  }

  return {
    busy,
    /** Another way must wait. */
    isSending,
    start,
    prove: (answer: PasskeyAnswer) =>
      send((csrf_token) => ({ method: 'passkey', ...answer, csrf_token }), { ...method, canRetry: false }),
    async submit(typed: Credentials) {
      const reply = await send((csrf_token) => method.build(typed, csrf_token), { ...method, canRetry: true })
      return reply?.kind === 'done' ? LEAVING : undefined
    },
  }
}

function useReplyHandler<F extends EntryFlow>(
  { refuse: mark, fail }: CredentialsUse,
  method: CredentialsMethod<F>,
) {
  const follow = useFollow()

  function refuse(flow: F, { failed, onRefused }: Failing) {
    const others = method.otherFields(flow)
    const errors: Record<string, string | undefined> = {
      email: fieldErrorTexts(flow, method.emailField),
      password: fieldErrorTexts(flow, 'password'),
    }
    for (const name of others) errors[name] = fieldErrorTexts(flow, name)
    const isMarked = Object.values(errors).some(Boolean)
    // The provider is not configured. Only a developer can fix that.
    const isNotSetUp = findMessage(flow, messageIds.noLoginMethod, messageIds.noProvider)
    const texts = isNotSetUp ? failed : textsAbove(flow, [method.emailField, 'password', ...others])
    if (isMarked) mark(errors)
    if (!texts && isMarked) return
    fail(texts ?? failed)
    // A rate limit has not checked what was typed.
    if (!findMessage(flow, messageIds.tooManyAttempts)) onRefused?.()
  }

  return async (reply: Reply<F>, failing: Failing): Promise<void> => {
    if (reply.kind === 'done') return await method.onDone(reply.continueWith, reply.hasSession)
    if (reply.kind === 'form') return refuse(reply.flow, failing)
    if (await follow(reply)) return
    const { message, canRetry } = failureOf(reply, failing.failed)
    fail(message, canRetry && failing.canRetry)
  }
}

export function useFollow() {
  const next = useNext()
  const { refetch } = useAuth()
  return async (reply: Reply<unknown>): Promise<boolean> => {
    switch (reply.kind) {
      case 'already-signed-in':
        await refetch()
        return true
      case 'verify-first':
      case 'second-factor':
      case 'confirm':
        await next(reply)
        return true
      case 'go':
        leaveFor(reply.url)
        return true
      default:
        return false
    }
  }
}

function textsAbove(flow: EntryFlow, shownFields: readonly string[]) {
  return formTexts(flow) ?? otherFieldErrorTexts(flow, ...shownFields)
}

function useBusyProvider() {
  const [busy, setBusy] = useState<string>()
  useRestored(() => setBusy(undefined))
  return [busy, setBusy] as const
}

/** The typed address for another method. Undefined if invalid, and the field shows the error. */
export function takeEmail({ texts, refuse }: CredentialsUse): string | undefined {
  const email = z.safeParse(credentialsSchema.shape.email, texts.email ?? '')
  if (email.success) return email.data
  refuse({ email: email.error.issues[0]?.message })
  return undefined
}
