import type { LoginFlow, RecoveryFlow, VerificationFlow } from '@ory/client-fetch'
import type { AnyFlow, Opened, Reply, UsedFlow } from '@ostiary/react'
import {
  fieldErrorTexts,
  findMessage,
  formErrorTexts,
  recallWaiting,
  rememberWaiting,
  textIn,
} from '@ostiary/react/internal'
import * as messageIds from '@ostiary/react/message-ids'
import { useEffect, useState } from 'react'
import { failureOf, sentenceFor } from '../../flow/failures.ts'
import type { Failure } from '../../ui/form/use-form.ts'
import { codeTexts } from './texts.ts'

export type CodeFlow = LoginFlow | RecoveryFlow | VerificationFlow

/** `wrongCode`: sending it again would only use up an attempt. */
export type CodeFailure = Failure & { readonly wrongCode?: string | undefined }

export interface CodeBody {
  method: 'code'
  code?: string
  email?: string
  identifier?: string
  resend?: 'code'
  csrf_token: string
}

export interface MailedCode<F extends CodeFlow> {
  readonly used: UsedFlow<F, CodeBody>
  readonly notice: string | undefined
  submitCode(code: string): Promise<CodeFailure | undefined>
  sendCode(email: string): Promise<CodeFailure | undefined>
}

interface MailedCodeOptions<F extends CodeFlow> {
  readonly used: UsedFlow<F, CodeBody>
  readonly failed: string
  readonly expired: number
  requestBody?(email: string): Partial<CodeBody>
  codeBody?(email: string | undefined): Partial<CodeBody>
  onPassed?(flow: F): Promise<void> | void
  /** Follows a reply that is not a form. Resolves to false if there is nothing to follow. */
  follow?(reply: Reply<F>): Promise<boolean>
}

export function useMailedCode<F extends CodeFlow>(options: MailedCodeOptions<F>): MailedCode<F> {
  const { used, failed, requestBody = (email: string) => ({ email }), codeBody } = options
  const [ownNotice, setNotice] = useState<string>()
  const notice = ownNotice ?? pendingCode(used.flow)
  useRememberWaiting(used)

  async function submitCode(code: string): Promise<CodeFailure | undefined> {
    const email = used.flow && addressOf(used.flow)
    const reply = await used.submit({
      build: (csrf_token) => ({ method: 'code', code, ...codeBody?.(email), csrf_token }),
      retryOnExpired: false,
    })
    // Cleared only now, because the form must not move between two clicks.
    setNotice('')
    if (reply.kind === 'restart') return await startAgain(await used.follow(reply.flowId), email)
    if (reply.kind !== 'form') return (await options.follow?.(reply)) ? undefined : failureOf(reply, failed)
    if (isFresh(reply.flow, options)) return await startAgain({ ...reply, kind: 'flow' }, email)
    return await checkReply(reply.flow, code, options)
  }

  /** The flow was replaced. If it expired and the address is known, requests a new code. */
  async function startAgain(opened: Opened<F> | { kind: 'flow'; flow: F }, email: string | undefined) {
    if (opened.kind !== 'flow') return { message: failed, canRetry: false }
    const { flow } = opened
    const isSilent = !flow.ui.messages?.length
    if (!email || !(isSilent || findMessage(flow, options.expired)))
      return { message: formErrorTexts(flow) ?? failed, canRetry: false }
    const failure = await send(email, flow)
    if (!failure) setNotice(codeTexts.expired)
    return failure
  }

  async function sendCode(email: string): Promise<CodeFailure | undefined> {
    setNotice(undefined)
    const isResend = used.flow?.state === 'sent_email'
    const failure = await send(email)
    if (isResend) setNotice(noticeOf(failure))
    return failure
  }

  async function send(email: string, on?: F): Promise<CodeFailure | undefined> {
    const build = (csrf_token: string): CodeBody => ({ method: 'code', ...requestBody(email), csrf_token })
    let reply = await used.submit({ build, on })
    if (reply.kind === 'form' && isFresh(reply.flow, options))
      reply = await used.submit({ build, on: reply.flow })
    if (await options.follow?.(reply)) return undefined
    if (reply.kind !== 'form') return failureOf(reply, failed)
    if (findMessage(reply.flow, messageIds.tooManyAttempts)) return await keepCode(reply.flow, email)
    if (reply.flow.state !== 'sent_email') return unsent(reply.flow, options)
    used.pin(reply.flow)
    return undefined
  }

  /** No email can be sent now, but the last code still works. */
  async function keepCode(flow: F, email: string): Promise<CodeFailure | undefined> {
    const earlier = flow.state === 'sent_email' ? undefined : await findWaiting(used, email)
    if (!earlier) return unsent(flow, options)
    used.pin(earlier)
    setNotice(codeTexts.limited)
    return undefined
  }

  return { used, notice, submitCode: guarded(submitCode, failed), sendCode: guarded(sendCode, failed) }
}

function noticeOf(failure: Failure | undefined): string | undefined {
  if (!failure) return codeTexts.requested
  return waitOf(failure) === undefined ? undefined : codeTexts.limited
}

/** Seconds until a rate limit allows the next attempt. */
export function waitOf({ message }: Failure): number | undefined {
  return typeof message === 'string' ? undefined : message.retry_after
}

/** The address of the code: on the resend button, or in a hidden field. */
export function addressOf(flow: CodeFlow): string | undefined {
  return textIn(flow, 'email', 'submit') ?? textIn(flow, 'identifier')
}

/** A rate limit refused another code. */
function pendingCode(flow: CodeFlow | undefined): string | undefined {
  if (flow?.state !== 'sent_email') return undefined
  return findMessage(flow, messageIds.tooManyAttempts) && codeTexts.limited
}

function unsent<F extends CodeFlow>(flow: F, { failed }: MailedCodeOptions<F>): Failure {
  return { message: fieldErrorTexts(flow, 'email') ?? formErrorTexts(flow) ?? failed, canRetry: false }
}

/** The flow in this browser that waits for the last code to this address. */
export async function findWaiting<F extends CodeFlow>(
  calls: Pick<UsedFlow<F, never>, 'kind' | 'read'>,
  email: string,
): Promise<F | undefined> {
  const waiting = recallWaiting(calls.kind)
  const earlier = waiting ? await calls.read(waiting).catch(() => undefined) : undefined
  if (earlier?.state !== 'sent_email') return undefined
  return addressOf(earlier)?.trim().toLowerCase() === email.trim().toLowerCase() ? earlier : undefined
}

async function checkReply<F extends CodeFlow>(
  flow: F,
  code: string,
  { failed, onPassed }: MailedCodeOptions<F>,
): Promise<CodeFailure | undefined> {
  if (flow.state === 'passed_challenge') {
    await onPassed?.(flow)
    return undefined
  }
  return refusalOf(flow, 'code', code, failed)
}

export function refusalOf(flow: AnyFlow, field: string, code: string, failed: string): CodeFailure {
  const message = fieldErrorTexts(flow, field) ?? formErrorTexts(flow) ?? failed
  // A rate limit has not checked the code.
  return { message, canRetry: false, wrongCode: typeof message === 'string' ? code : undefined }
}

function useRememberWaiting(used: UsedFlow<CodeFlow, never>): void {
  useEffect(() => {
    if (used.flow?.state === 'sent_email') rememberWaiting(used.kind, used.flow.id)
    if (used.flow?.state === 'passed_challenge') rememberWaiting(used.kind, null)
  })
}

/** It replaced an expired flow, and has sent nothing yet. */
function isFresh(flow: CodeFlow, { expired }: { expired: number }): boolean {
  return flow.state === 'choose_method' && findMessage(flow, expired) !== undefined
}

function guarded(work: (text: string) => Promise<CodeFailure | undefined>, failed: string) {
  return async (text: string): Promise<CodeFailure | undefined> => {
    try {
      return await work(text)
    } catch (error) {
      return { message: sentenceFor(error, failed), canRetry: false }
    }
  }
}

export function useLatest<T>(value: T | undefined): T | undefined {
  const [latest, setLatest] = useState(value)
  if (value !== undefined && value !== latest) setLatest(value)
  return value ?? latest
}
