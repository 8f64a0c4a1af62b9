import type { ContinueWith, LoginFlow, UiText } from '@ory/client-fetch'
import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useRestored } from '../browser.ts'
import { type FormMessage, formMessage } from '../flow/form-message.ts'
import type { AnyFlow, FlowCalls } from '../flow/kinds.ts'
import { currentMessages, isSaved } from '../flow/messages.ts'
import { findVerificationId } from '../flow/nodes.ts'
import type { Opened } from '../flow/open-flow.ts'
import { newPasskeyQuestion, passkeyNameField, passkeyQuestion } from '../flow/passkey-question.ts'
import { forgetPasskey, makePasskey, provePasskey, whyNoPasskey } from '../flow/passkeys.ts'
import type { Reply } from '../flow/submit-flow.ts'
import type { FieldTexts } from '../flow/traits.ts'
import { type FlowLocation, type UsedFlow, useFlow } from '../flow/use-flow.ts'
import { useAuth } from '../session/use-auth.ts'
import { bodyOf, type FormAction, type FormGroup, groupsOf, isTrigger, valuesOf } from './groups.ts'

/** Where the user goes from a form. The session is up to date already. */
export type Next =
  | {
      /** The flow has ended. */
      readonly kind: 'done'
      /** The flow that waits for an emailed code after a registration. */
      readonly verification: string | undefined
      /** The settings flow after a recovery, to set a new password. */
      readonly settings: string | undefined
      /** Where the service redirects, such as `returnTo`. */
      readonly returnTo: string | undefined
    }
  /** The settings are stored. The form stays. */
  | { readonly kind: 'saved' }
  /** Before, or in another tab since. */
  | { readonly kind: 'already-signed-in' }
  /** The login needs a second factor: `useLogin({ aal: 'aal2' })`. */
  | { readonly kind: 'second-factor' }
  /** The address has to be verified first, in that flow. */
  | { readonly kind: 'verify-first'; readonly flowId: string }
  /** The session is missing or has ended. */
  | { readonly kind: 'sign-in' }
  /** The user has to log in again, at `url` of the service. */
  | { readonly kind: 'confirm'; readonly url: string }

export interface FlowFormOptions extends FlowLocation {
  onNext(next: Next): unknown
}

/** A form of the protocol without markup. */
export interface FlowForm<F extends AnyFlow> {
  readonly status: 'loading' | 'ready' | 'submitting' | 'unreachable'
  /** As the service sent it. In the state `sent_email`, a code is on its way. */
  readonly flow: F | undefined
  /** For the whole form. A refusal without a form has the id 0. Each field has its own. */
  readonly messages: readonly Pick<UiText, 'id' | 'text' | 'type'>[]
  /** Seconds until a rate limit allows the next attempt. */
  readonly retryAfter: number | undefined
  /** `cancelled`: the user closed the dialog. `known-here`: this device has one already. */
  readonly passkeyProblem: 'cancelled' | 'known-here' | 'failed' | undefined
  /** Each is a `<form>` with fields and buttons. */
  readonly groups: readonly FormGroup[]
  /** For `<form onSubmit>`, whose buttons have the names and values of the actions. */
  onSubmit(event: SubmitEvent<HTMLFormElement>): void
  /** Sends the typed texts by name. An action for passkeys opens the dialog of the browser. */
  submit(action: FormAction, typed?: FormData | FieldTexts): Promise<void>
}

/** If the service gives no reason. */
const REFUSED = 'That did not work. Please try again.'

interface FlowHookKind {
  /** The field of a passkey's answer, and whether it is a new one. */
  readonly passkey?: { readonly name: string; readonly isNew: boolean }
  /** A user who is logged in has no use for it. */
  readonly isForVisitors?: boolean
}

export function useFlowForm<F extends AnyFlow, Body>(
  calls: FlowCalls<F, Body>,
  { passkey, isForVisitors = false }: FlowHookKind,
  { onNext, ...place }: FlowFormOptions,
): FlowForm<F> {
  const usedFlow = useFlow(calls, place)
  const { refetch } = useAuth()
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<FormMessage>()
  const [isUnreachable, setUnreachable] = useState(false)
  const { answer, passkeyProblem } = usePasskey(passkey)
  useRestored(() => setBusy(false))
  const { opened, flow } = usedFlow
  useFlowInLocation(usedFlow, place)
  const hasEnded = useRef(false)

  async function follow(reply: Reply<F> | Opened<F>): Promise<void> {
    setUnreachable(reply.kind === 'unreachable')
    setRefusal(reply.kind === 'refused' ? (reply.reason ?? REFUSED) : undefined)
    if (reply.kind === 'go') return location.assign(reply.url)
    const nextStep = nextAfter(reply)
    if (nextStep?.kind === 'done' || nextStep?.kind === 'already-signed-in') {
      hasEnded.current = true
      await refetch()
    }
    if (nextStep) await onNext(nextStep)
  }

  const followOpened = useEffectEvent(follow)
  useEffect(() => {
    if (opened && opened.kind !== 'flow') void followOpened(opened)
  }, [opened])
  useSignedInElsewhere(isForVisitors && isFirstStep(flow), hasEnded, onNext)

  async function send(action: FormAction, typed: FormData | FieldTexts, on: F): Promise<void> {
    const texts = typed instanceof FormData ? (Object.fromEntries(typed) as FieldTexts) : typed
    const proof = await answer(on, action, texts)
    if (!proof) return
    const body = { ...bodyOf(on, action, texts), ...proof.fields }
    const reply = await usedFlow.submit({ build: (csrf_token) => ({ ...body, csrf_token }) as Body })
    // Without an answer, the service may have stored it.
    if (reply.kind !== 'unreachable' && !isStored(reply)) await proof.forget?.()
    await follow(reply)
  }

  async function submit(action: FormAction, typed: FormData | FieldTexts = {}): Promise<void> {
    if (isBusy || !flow) return
    setBusy(true)
    await send(action, typed, flow).finally(() => setBusy(false))
  }

  const groups = groupsOf(flow)
  return {
    status: statusOf(isBusy, isUnreachable || usedFlow.isUnreachable, flow !== undefined),
    flow,
    ...messagesFor(flow, refusal),
    passkeyProblem,
    groups,
    submit,
    onSubmit(event) {
      event.preventDefault()
      void submit(pressedIn(event, groups), new FormData(event.currentTarget))
    },
  }
}

/** Puts a new flow into the address, so that a reload keeps it. */
function useFlowInLocation<F extends AnyFlow>(
  { flow, pin }: UsedFlow<F, never>,
  { id, onFlowId }: FlowLocation,
): void {
  const reportFlow = useEffectEvent(() => {
    if (flow && onFlowId && flow.id !== id) pin(flow)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each flow
  useEffect(() => reportFlow(), [flow?.id])
}

function useSignedInElsewhere(
  isWatching: boolean,
  hasEnded: { current: boolean },
  onNext: FlowFormOptions['onNext'],
): void {
  const { isAuthenticated } = useAuth()
  const leave = useEffectEvent(() => {
    if (hasEnded.current) return
    hasEnded.current = true
    void onNext({ kind: 'already-signed-in' })
  })
  useEffect(() => {
    if (isWatching && isAuthenticated) leave()
  }, [isWatching, isAuthenticated])
}

/** Any other login belongs to a session that exists. */
function isFirstStep(flow: AnyFlow | undefined): boolean {
  if (!flow) return false
  const { refresh, requested_aal } = flow as Partial<LoginFlow>
  return refresh !== true && requested_aal !== 'aal2'
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

function statusOf(isBusy: boolean, isUnreachable: boolean, isOpen: boolean): FlowForm<AnyFlow>['status'] {
  if (isBusy) return 'submitting'
  if (isUnreachable) return 'unreachable'
  return isOpen ? 'ready' : 'loading'
}

function nextAfter(reply: Reply<AnyFlow> | Opened<AnyFlow>): Next | undefined {
  switch (reply.kind) {
    case 'done':
      return doneWith(reply.continueWith)
    case 'form':
      if (isSaved(reply.flow)) return { kind: 'saved' }
      return reply.flow.state === 'passed_challenge' ? doneWith(continueWithOf(reply.flow)) : undefined
    case 'already-signed-in':
    case 'second-factor':
    case 'verify-first':
    case 'sign-in':
    case 'confirm':
      return reply
    default:
      return undefined
  }
}

function doneWith(items: readonly ContinueWith[]): Next {
  const settings = items.find((item) => item.action === 'show_settings_ui')
  const redirect = items.find((item) => item.action === 'redirect_browser_to')
  return {
    kind: 'done',
    verification: findVerificationId(items),
    settings: settings?.flow.id,
    returnTo: redirect?.redirect_browser_to,
  }
}

function continueWithOf(flow: AnyFlow): readonly ContinueWith[] {
  return 'continue_with' in flow ? (flow.continue_with ?? []) : []
}

function pressedIn({ nativeEvent }: SubmitEvent, groups: readonly FormGroup[]): FormAction {
  const button = nativeEvent.submitter as HTMLButtonElement | null
  const action = groups
    .flatMap(({ actions }) => actions)
    .find(({ name, value }) => name === button?.name && value === button.value)
  if (!action) throw new Error('A button needs the name and the value of its action')
  return action
}

interface Proof {
  readonly fields: object
  /** Removes a new passkey, which the service refused, from the device. */
  forget?(): Promise<void>
}

/** The proof for the actions that open the dialog of the browser. Undefined if it was closed or failed. */
function usePasskey(passkey: FlowHookKind['passkey']) {
  const [passkeyProblem, setProblem] = useState<FlowForm<AnyFlow>['passkeyProblem']>()
  async function answer(flow: AnyFlow, { name }: FormAction, texts: FieldTexts): Promise<Proof | undefined> {
    setProblem(undefined)
    if (!passkey || !isTrigger(name)) return { fields: {} }
    try {
      const prove = passkey.isNew ? proveNew : proveKnown
      return await prove(flow, passkey.name, texts)
    } catch (error) {
      setProblem(whyNoPasskey(error) ?? 'failed')
      return undefined
    }
  }
  return { passkeyProblem, answer }
}

async function proveKnown(flow: AnyFlow, name: string): Promise<Proof> {
  return { fields: { [name]: await provePasskey(requireQuestion(passkeyQuestion(flow))) } }
}

async function proveNew(flow: AnyFlow, name: string, texts: FieldTexts): Promise<Proof> {
  const question = requireQuestion(newPasskeyQuestion(flow))
  const answer = await makePasskey(
    question,
    valuesOf(flow, 'passkey_remove'),
    texts[passkeyNameField(flow) ?? ''],
  )
  const { id } = JSON.parse(answer) as { id: string }
  return { fields: { [name]: answer }, forget: () => forgetPasskey(question, id) }
}

function requireQuestion(question: string | undefined): string {
  if (question === undefined) throw new Error('This form or this browser has no passkeys')
  return question
}

function isStored(reply: Reply<AnyFlow>): boolean {
  return ['done', 'saved'].includes(nextAfter(reply)?.kind ?? '')
}
