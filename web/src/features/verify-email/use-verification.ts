import type { UpdateVerificationFlowBody, VerificationFlow } from '@ory/client-fetch'
import { useEffect, useState } from 'react'
import { listenToOtherTabs, tellOtherTabs } from '../../auth/tab-channel.ts'
import { sentenceFor } from '../../flow/form-failure.ts'
import { findInput } from '../../flow/inputs.ts'
import { verificationFlow } from '../../flow/kinds.ts'
import { fieldErrorTexts, formErrorTexts } from '../../flow/messages.ts'
import { UNREACHABLE_KEPT } from '../../flow/sentences.ts'
import type { Reply } from '../../flow/submit-flow.ts'
import { type UsedFlow, useFlow } from '../../flow/use-flow.ts'

const VERIFICATION_FAILED = 'Verification failed'
/** The service's message for a code or a flow whose time is over. */
const EXPIRED = 4070005

/** What went wrong, and whether sending the same again may help. */
export interface Failure {
  readonly message: string
  readonly canRetry: boolean
}

export interface Verification {
  readonly used: UsedFlow<VerificationFlow, UpdateVerificationFlowBody>
  readonly notice: string | undefined
  submitCode(code: string): Promise<Failure | undefined>
  sendCode(email: string): Promise<Failure | undefined>
}

/** The two things a person does here: give the code, or have a code sent. */
export function useVerification(): Verification {
  const used = useFlow(verificationFlow)
  const [notice, setNotice] = useState<string>()
  useNewsOfOtherTabs(used)

  async function submitCode(code: string): Promise<Failure | undefined> {
    setNotice(undefined)
    const email = used.opened?.kind === 'flow' ? addressOf(used.opened.flow) : undefined
    const reply = await used.submit({
      build: (csrf_token) => ({ method: 'code', code, csrf_token }),
      heals: false,
    })
    // An expired flow is answered with a new one, to which nothing was sent yet.
    if (isFresh(reply) && email) return await sendAnother(email, reply.flow)
    if (reply.kind === 'form') return judge(reply.flow)
    if (reply.kind !== 'restart') return failureOf(reply)
    return await startAgain(reply.flowId, email)
  }

  /** The flow is over. When only time ran out and the address is known, a new code is on its way at once. */
  async function startAgain(
    flowId: string | undefined,
    email: string | undefined,
  ): Promise<Failure | undefined> {
    const opened = await used.follow(flowId)
    if (opened.kind !== 'flow') return { message: VERIFICATION_FAILED, canRetry: false }
    const isExpired = flowId === undefined || hasMessage(opened.flow, EXPIRED)
    if (!isExpired || !email)
      return { message: formErrorTexts(opened.flow) ?? VERIFICATION_FAILED, canRetry: false }
    return await sendAnother(email, opened.flow)
  }

  async function sendAnother(email: string, on: VerificationFlow): Promise<Failure | undefined> {
    const failure = await send(email, on)
    if (!failure) setNotice('That code has expired. We have sent you a new one.')
    return failure
  }

  async function sendCode(email: string): Promise<Failure | undefined> {
    setNotice(undefined)
    const isResend = used.opened?.kind === 'flow' && used.opened.flow.state === 'sent_email'
    const failure = await send(email)
    if (!failure && isResend) setNotice('We have sent a new code. The earlier one no longer works.')
    return failure
  }

  async function send(email: string, on?: VerificationFlow): Promise<Failure | undefined> {
    const build = (csrf_token: string): UpdateVerificationFlowBody => ({ method: 'code', email, csrf_token })
    let reply = await used.submit({ build, ...(on && { on }) })
    if (isFresh(reply)) reply = await used.submit({ build, on: reply.flow })
    if (reply.kind !== 'form') return failureOf(reply)
    if (reply.flow.state === 'sent_email') return undefined
    const message = fieldErrorTexts(reply.flow, 'email') ?? formErrorTexts(reply.flow) ?? VERIFICATION_FAILED
    return { message, canRetry: false }
  }

  return { used, notice, submitCode: guarded(submitCode), sendCode: guarded(sendCode) }
}

/** The address that the flow's code went to: the resend button carries it. */
export function addressOf(flow: VerificationFlow): string | undefined {
  const value: unknown = findInput(flow, 'email', 'submit')?.value
  return typeof value === 'string' ? value : undefined
}

function useNewsOfOtherTabs({ opened, open }: Verification['used']): void {
  const flowId = opened?.kind === 'flow' ? opened.flow.id : undefined
  useEffect(
    () =>
      listenToOtherTabs((news) => {
        if (news.kind === 'verified' && news.flow_id === flowId) void open()
      }),
    [flowId, open],
  )
}

function judge(flow: VerificationFlow): Failure | undefined {
  if (flow.state === 'passed_challenge') {
    tellOtherTabs({ kind: 'verified', flow_id: flow.id })
    return undefined
  }
  const message = fieldErrorTexts(flow, 'code') ?? formErrorTexts(flow) ?? VERIFICATION_FAILED
  return { message, canRetry: false }
}

function isFresh(reply: Reply<VerificationFlow>): reply is { kind: 'form'; flow: VerificationFlow } {
  return reply.kind === 'form' && reply.flow.state === 'choose_method' && hasMessage(reply.flow, EXPIRED)
}

function hasMessage(flow: VerificationFlow, id: number): boolean {
  return (flow.ui.messages ?? []).some((message) => message.id === id)
}

function failureOf(reply: Exclude<Reply<VerificationFlow>, { kind: 'form' }>): Failure {
  if (reply.kind === 'unreachable') return { message: UNREACHABLE_KEPT, canRetry: true }
  return { message: VERIFICATION_FAILED, canRetry: false }
}

function guarded(work: (text: string) => Promise<Failure | undefined>) {
  return async (text: string): Promise<Failure | undefined> => {
    try {
      return await work(text)
    } catch (error) {
      return { message: sentenceFor(error, VERIFICATION_FAILED), canRetry: false }
    }
  }
}
