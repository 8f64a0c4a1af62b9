import type { LoginFlow, RecoveryFlow, VerificationFlow } from '@ory/client-fetch'
import type { FlowForm, FlowHandle, OpenFlowResult } from '@ostiary/react'
import {
  fieldErrorTexts,
  findMessage,
  formErrorTexts,
  recallPendingFlow,
  rememberPendingFlow,
  textIn,
} from '@ostiary/react/internal'
import * as messageIds from '@ostiary/react/message-ids'
import { useEffect, useState } from 'react'
import { failureOf } from '../../flow/failures.ts'
import type { Failure } from '../../ui/form/use-form.ts'
import { type CodeFailure, refusalOf } from './code-entry.tsx'
import { codeTexts } from './texts.ts'

export type CodeFlow = LoginFlow | RecoveryFlow | VerificationFlow

export interface MailedCode<F extends CodeFlow> {
  readonly form: FlowForm<F>
  readonly notice: string | undefined
  submitCode(code: string): Promise<CodeFailure | undefined>
  sendCode(email: string): Promise<CodeFailure | undefined>
}

interface MailedCodeOptions {
  readonly failed: string
  readonly expired: number
  /** All fields of the form that asks for the address. */
  readonly data?: (() => FormData) | undefined
}

export function useMailedCode<F extends CodeFlow>(
  form: FlowForm<F>,
  { failed, expired, data = () => new FormData() }: MailedCodeOptions,
): MailedCode<F> {
  const [ownNotice, setNotice] = useState<string>()
  const notice = ownNotice ?? pendingCode(form.flow)
  useRememberWaiting(form)

  async function submitCode(code: string): Promise<CodeFailure | undefined> {
    const email = form.flow && addressOf(form.flow)
    const result = await form.submit(METHOD, { code }, { retryOnExpired: false })
    // Cleared only now, because the form must not move between two clicks.
    setNotice('')
    if (result.kind === 'restart') return await startAgain(await form.switchTo(result.flowId), email)
    if (result.kind !== 'form') return failureOf(result, failed)
    const { flow } = result
    if (isFresh(flow, expired)) return await startAgain({ kind: 'flow', flow }, email)
    return flow.state === 'passed_challenge' ? undefined : refusalOf(flow, 'code', code, failed)
  }

  /** The flow was replaced. If it expired and the address is known, requests a new code. */
  async function startAgain(
    opened: OpenFlowResult<F> | { kind: 'flow'; flow: F },
    email: string | undefined,
  ) {
    if (opened.kind !== 'flow') return { message: failed, canRetry: false }
    const { flow } = opened
    const isSilent = !flow.ui.messages?.length
    if (!email || !(isSilent || findMessage(flow, expired)))
      return { message: formErrorTexts(flow) ?? failed, canRetry: false }
    const failure = await send(email, flow)
    if (!failure) setNotice(codeTexts.expired)
    return failure
  }

  async function sendCode(email: string): Promise<CodeFailure | undefined> {
    setNotice(undefined)
    const isResend = form.flow?.state === 'sent_email'
    const failure = await send(email)
    if (isResend) setNotice(noticeOf(failure))
    return failure
  }

  async function send(email: string, on = form.flow): Promise<CodeFailure | undefined> {
    const typed = data()
    for (const name of ['email', 'identifier']) typed.set(name, email)
    const request = (on?: F) => form.submit(resendIn(on) ?? METHOD, typed, { on })
    let result = await request(on)
    if (result.kind === 'form' && isFresh(result.flow, expired)) result = await request(result.flow)
    if (result.kind !== 'form') return failureOf(result, failed)
    if (findMessage(result.flow, messageIds.tooManyAttempts)) return await keepCode(result.flow, email)
    return result.flow.state === 'sent_email' ? undefined : unsent(result.flow)
  }

  /** No email can be sent now, but the last code still works. */
  async function keepCode(flow: F, email: string): Promise<CodeFailure | undefined> {
    const earlier = flow.state === 'sent_email' ? undefined : await findPendingFlow(form, email)
    if (!earlier) return unsent(flow)
    form.pin(earlier)
    setNotice(codeTexts.limited)
    return undefined
  }

  function unsent(flow: F): Failure {
    return { message: fieldErrorTexts(flow, 'email') ?? formErrorTexts(flow) ?? failed, canRetry: false }
  }

  return { form, notice, submitCode, sendCode }
}

const METHOD = { method: 'code' }

/** The button for another code to the same address. */
function resendIn(flow: CodeFlow | undefined) {
  if (flow?.state !== 'sent_email') return undefined
  const email = textIn(flow, 'email', 'submit')
  return email === undefined
    ? { ...METHOD, name: 'resend', value: 'code' }
    : { ...METHOD, name: 'email', value: email }
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

/** The flow in this browser that waits for the last code to this address. */
export async function findPendingFlow<F extends CodeFlow>(
  { kind, read }: Pick<FlowHandle<F>, 'kind' | 'read'>,
  email: string,
): Promise<F | undefined> {
  const waiting = recallPendingFlow(kind)
  const earlier = waiting ? await read(waiting).catch(() => undefined) : undefined
  if (earlier?.state !== 'sent_email') return undefined
  return addressOf(earlier)?.trim().toLowerCase() === email.trim().toLowerCase() ? earlier : undefined
}

function useRememberWaiting({ kind, flow }: FlowHandle<CodeFlow>): void {
  useEffect(() => {
    if (flow?.state === 'sent_email') rememberPendingFlow(kind, flow.id)
    if (flow?.state === 'passed_challenge') rememberPendingFlow(kind, null)
  })
}

/** It replaced an expired flow, and has sent nothing yet. */
function isFresh(flow: CodeFlow, expired: number): boolean {
  return flow.state === 'choose_method' && findMessage(flow, expired) !== undefined
}
