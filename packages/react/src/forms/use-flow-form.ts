import type { LoginFlow, UiText } from '@ory/client-fetch'
import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useIsShown } from '../browser.ts'
import { type FormMessage, formMessage } from '../flow/form-message.ts'
import type { AnyFlow, FlowApi } from '../flow/kinds.ts'
import { currentMessages } from '../flow/messages.ts'
import { CsrfTokenMissing } from '../flow/nodes.ts'
import type { OpenFlowResult } from '../flow/open-flow.ts'
import type { Reply } from '../flow/submit-flow.ts'
import type { FieldTexts } from '../flow/traits.ts'
import { type FlowHandle, type FlowLocation, type SubmitOptions, useFlow } from '../flow/use-flow.ts'
import { useService } from '../service.ts'
import { tellOtherTabs } from '../session/tab-channel.ts'
import { useAuth } from '../session/use-auth.ts'
import { type Action, bodyOf, type FormAction, type FormGroup, groupsOf, textsOf } from './groups.ts'
import { type Next, nextAfter } from './next.ts'
import {
  type PasskeyAnswer,
  type PasskeyField,
  type PasskeyProblem,
  usePasskeySuggestion,
  usePasskeys,
} from './use-passkeys.ts'
import { usePending } from './use-pending.ts'

export interface FlowFormOptions extends FlowLocation {
  /** By default the page stays. */
  onNext?(next: Next): unknown
  /**
   * Asks the user to log in again, in this page. If it resolves to true, the form is sent once more. Otherwise
   * `confirm` comes next.
   */
  onConfirm?(url: string): Promise<boolean>
  /** Takes the browser to a provider or the service; default: `location.assign`. */
  onLeave?(url: string): void
}

/** The answer to a submission. `onNext` was called already. */
export type SubmitResult<F extends AnyFlow> = Reply<F> | { kind: 'no-passkey' }

/** A form of the protocol without markup. */
export interface FlowForm<F extends AnyFlow> extends FlowHandle<F> {
  /** `done`: the flow has ended, and `onNext` was called. */
  readonly status: 'loading' | 'ready' | 'submitting' | 'done' | 'unreachable'
  /** For the whole form. A refusal without a form has the id 0. Each field has its own. */
  readonly messages: readonly Pick<UiText, 'id' | 'text' | 'type'>[]
  /** Seconds until a rate limit allows the next attempt. */
  readonly retryAfter: number | undefined
  readonly passkeyProblem: PasskeyProblem | undefined
  /** The answer to the latest passkey that the user chose in the identifier field. */
  readonly suggestion: SubmitResult<F> | undefined
  /** Each is a `<form>` with fields and buttons. */
  readonly groups: readonly FormGroup[]
  /** For `<form onSubmit>`, whose buttons have the names and values of the actions. */
  onSubmit(event: SubmitEvent<HTMLFormElement>): void
  /**
   * Sends the typed texts by name, once the flow is open. An action for passkeys opens the dialog of the browser.
   * While an action is sent, the same one gives the same result.
   */
  submit(action: Action, typed?: FormData | FieldTexts, options?: SubmitOptions<F>): Promise<SubmitResult<F>>
}

/** If the service gives no reason. */
const REFUSED = 'That did not work. Please try again.'

interface FlowHookKind {
  readonly passkey?: PasskeyField
  /** A user who is logged in has no use for it. */
  readonly isForVisitors?: boolean
}

export function useFlowForm<F extends AnyFlow>(
  calls: FlowApi<F>,
  { passkey, isForVisitors = false }: FlowHookKind,
  options: FlowFormOptions,
): FlowForm<F> {
  const enabled = useMayOpen(isForVisitors, options)
  const { ready, send, ...usedFlow } = useFlow(calls, { ...options, enabled })
  const { flow } = usedFlow
  const { latest, handleReply } = useReplyHandler(usedFlow, isForVisitors, options)
  const { isBusy, once } = usePending<SubmitResult<F>>()
  const passkeys = usePasskeys(passkey)
  const [suggestion, setSuggestion] = useState<SubmitResult<F>>()
  useFlowInLocation(usedFlow, options)

  async function sendWith(answer: PasskeyAnswer, action: Action, typed: Typed, where?: SubmitOptions<F>) {
    const submission = {
      ...where,
      build: (flow: F) => ({ ...bodyOf(flow, action, typed), ...answer.fields }),
    }
    let reply = await send(submission)
    if (reply.kind === 'confirm' && (await options.onConfirm?.(reply.url))) reply = await send(submission)
    // Without `onConfirm`, the service stores the change once the user has confirmed there.
    const isPending = reply.kind === 'confirm' && !options.onConfirm
    if (!isPending)
      await answer.settle(reply, ['done', 'saved'].includes(nextAfter(reply, calls.kind)?.kind ?? ''))
    return reply
  }

  async function attempt(action: Action, typed: Typed, where?: SubmitOptions<F>): Promise<SubmitResult<F>> {
    const opened = await ready(where?.on)
    if (opened.kind !== 'flow') return opened
    const answer = await passkeys.prove(opened.flow, action, textsOf(typed))
    const { flow } = opened
    return answer ? await sendWith(answer, action, typed, { ...where, on: flow }) : { kind: 'no-passkey' }
  }

  const submit: FlowForm<F>['submit'] = (action, typed = {}, where) =>
    once(action, typed, () => attempt(action, typed, where).catch(unsent).then(handleReply))

  usePasskeySuggestion(flow, passkey, passkeys.failures, (answer, typed) => {
    const action = { method: 'passkey' }
    return once(action, typed, () => sendWith(answer, action, typed).catch(unsent).then(handleReply)).then(
      setSuggestion,
    )
  })

  const groups = groupsOf(flow)
  return {
    ...usedFlow,
    status: statusOf(isBusy, latest, usedFlow),
    ...messagesFor(flow, latest?.kind === 'refused' ? reasonOf(latest) : undefined),
    passkeyProblem: passkeys.problem,
    suggestion,
    groups,
    submit,
    onSubmit(event) {
      event.preventDefault()
      void submit(pressedIn(event, groups), new FormData(event.currentTarget))
    },
  }
}

/** Leads the user on from a reply, or from a flow that could not be opened. */
function useReplyHandler<F extends AnyFlow>(
  { kind, opened, flow }: FlowHandle<F>,
  isForVisitors: boolean,
  { onNext, id, onLeave = (url) => location.assign(url) }: FlowFormOptions,
) {
  const { isAuthenticated, refetch } = useAuth()
  const [latest, setLatest] = useState<SubmitResult<F> | OpenFlowResult<F>>()
  const hasEnded = useRef(false)
  const isShown = useIsShown()

  function leave(url: string): void {
    if (isShown()) onLeave(url)
  }

  async function handleReply<R extends SubmitResult<F> | OpenFlowResult<F>>(reply: R): Promise<R> {
    setLatest(reply)
    if (reply.kind === 'redirect') leave(reply.url)
    if (reply.kind === 'form' && reply.flow.state === 'passed_challenge')
      tellOtherTabs({ kind: 'verified', flow_id: reply.flow.id })
    const next = nextAfter(reply, kind)
    // Then an effect knows whether the session still needs a second factor.
    if (next?.kind === 'already-signed-in' && isForVisitors) await refetch()
    // The form of a visitor says itself that it was refused.
    else if (next && !(isForVisitors && next.kind === 'sign-in')) await goToNextStep(next)
    return reply
  }

  async function goToNextStep(next: Next): Promise<void> {
    const isEnd = next.kind === 'done' || next.kind === 'already-signed-in'
    if (isEnd) hasEnded.current = true
    const isSessionNew = next.kind === 'done' ? next.hasSession || isAuthenticated : isEnd
    if (isSessionNew) await refetch()
    if (isShown()) await onNext?.(next)
  }

  const handleOpened = useEffectEvent(handleReply)
  useEffect(() => {
    if (opened && opened.kind !== 'flow') void handleOpened(opened)
  }, [opened])
  const isSignedIn = latest?.kind === 'already-signed-in'
  useSignedInElsewhere(isForVisitors && (isSignedIn || isFirstStep(flow, id)), hasEnded, onNext)
  return { latest, handleReply }
}

type Typed = FormData | FieldTexts

/** The service answers 400 if a logged-in user begins a flow for visitors. */
function useMayOpen(isForVisitors: boolean, { id, loginChallenge, enabled = true }: FlowLocation): boolean {
  const service = useService()
  const { isAuthenticated, needsSecondFactor, isLoading, isUnreachable } = useAuth()
  const isInBrowser = typeof window === 'object'
  const isUnknown = isLoading && !isUnreachable && isInBrowser && service.mayHaveSession?.() === true
  const isNew = id === undefined && loginChallenge === undefined
  const isRefused = isForVisitors && isNew && (isAuthenticated || needsSecondFactor || isUnknown)
  return enabled && !isRefused
}

/** Puts a new flow into the address, so that a reload keeps it. */
function useFlowInLocation<F extends AnyFlow>(
  { flow, pin }: FlowHandle<F>,
  { id, onFlowId, namesNewFlows = true }: FlowLocation,
): void {
  const reportFlow = useEffectEvent(() => {
    if (flow && onFlowId && namesNewFlows && flow.id !== id) pin(flow)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each flow
  useEffect(() => reportFlow(), [flow?.id])
}

function useSignedInElsewhere(
  isWatching: boolean,
  hasEnded: { current: boolean },
  onNext: FlowFormOptions['onNext'],
): void {
  const { isAuthenticated, needsSecondFactor } = useAuth()
  const leave = useEffectEvent((kind: 'already-signed-in' | 'second-factor') => {
    if (hasEnded.current) return
    hasEnded.current = true
    void onNext?.({ kind })
  })
  useEffect(() => {
    if (isWatching && isAuthenticated) leave('already-signed-in')
    if (isWatching && needsSecondFactor) leave('second-factor')
  }, [isWatching, isAuthenticated, needsSecondFactor])
}

/** Any other login belongs to a session that exists. */
function isFirstStep(flow: AnyFlow | undefined, id: string | undefined): boolean {
  if (!flow) return id === undefined
  const { refresh, requested_aal } = flow as Partial<LoginFlow>
  return refresh !== true && requested_aal !== 'aal2'
}

function unsent(cause: unknown): { kind: 'refused'; cause: unknown } {
  if (!(cause instanceof CsrfTokenMissing)) console.error(cause)
  return { kind: 'refused', cause }
}

function reasonOf({ reason, cause }: Reply<never> & { kind: 'refused' }): FormMessage {
  return reason ?? (cause instanceof CsrfTokenMissing ? cause.message : REFUSED)
}

function messagesFor(flow: AnyFlow | undefined, refusal: FormMessage | undefined) {
  const ofForm = flow?.ui.messages ?? []
  const refused = refusal === undefined ? [] : [asText(refusal)]
  const limits = [...ofForm.map(({ text, context }) => formMessage(text, context)), refusal]
  const limit = limits.find((one) => typeof one === 'object')
  return { messages: currentMessages([...refused, ...ofForm]), retryAfter: limit?.retry_after }
}

function asText(refusal: FormMessage): Pick<UiText, 'id' | 'text' | 'type'> {
  return { id: 0, type: 'error', text: typeof refusal === 'string' ? refusal : refusal.text }
}

function statusOf(
  isBusy: boolean,
  latest: SubmitResult<AnyFlow> | OpenFlowResult<AnyFlow> | undefined,
  { kind, flow, isUnreachable }: FlowHandle<AnyFlow>,
): FlowForm<AnyFlow>['status'] {
  if (isBusy) return 'submitting'
  if (isUnreachable || latest?.kind === 'unreachable') return 'unreachable'
  if (latest && nextAfter(latest, kind)?.kind === 'done') return 'done'
  return flow ? 'ready' : 'loading'
}

function pressedIn({ nativeEvent }: SubmitEvent, groups: readonly FormGroup[]): FormAction {
  const button = nativeEvent.submitter as HTMLButtonElement | null
  const action = groups
    .flatMap(({ actions }) => actions)
    .find(({ name, value }) => name === button?.name && value === button.value)
  if (!action) throw new Error('A button needs the name and the value of its action')
  return action
}
