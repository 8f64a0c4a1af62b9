import type { UiText } from '@ory/client-fetch'
import { useEffect, useEffectEvent, useState } from 'react'
import { useRestored } from '../browser.ts'
import type { FormMessage } from '../flow/form-message.ts'
import type { AnyFlow, FlowCalls } from '../flow/kinds.ts'
import { findVerificationId } from '../flow/nodes.ts'
import type { Opened } from '../flow/open-flow.ts'
import { newPasskeyQuestion, passkeyQuestion } from '../flow/passkey-question.ts'
import { makePasskey, provePasskey } from '../flow/passkeys.ts'
import type { Reply } from '../flow/submit-flow.ts'
import type { FieldTexts } from '../flow/traits.ts'
import { type FlowPlace, useFlow } from '../flow/use-flow.ts'
import { useAuth } from '../session/use-auth.ts'
import {
  bodyOf,
  type FormField,
  fieldsOf,
  methodsOf,
  type OfferedMethod,
  type OfferedProvider,
  providersOf,
} from './fields.ts'

/** Where the user goes from a form. The session is up to date already. */
export type Next =
  /** The flow has ended. After a registration, `verification` is the flow that waits for the emailed code. */
  | { readonly kind: 'done'; readonly verification: string | undefined }
  | { readonly kind: 'already-signed-in' }
  /** The login needs a second factor: `useLogin({ aal: 'aal2' })`. */
  | { readonly kind: 'second-factor' }
  /** The address has to be verified first, in that flow. */
  | { readonly kind: 'verify-first'; readonly flowId: string }
  /** There is no session. */
  | { readonly kind: 'sign-in' }
  /** The user has to log in again, at `url` of the service. */
  | { readonly kind: 'confirm'; readonly url: string }

export interface FlowFormOptions extends FlowPlace {
  onNext(next: Next): unknown
}

/** A form of the protocol without markup. */
export interface FlowForm<F extends AnyFlow> {
  readonly status: 'loading' | 'ready' | 'submitting' | 'unreachable'
  /** As the service sent it. `flow.state` tells whether a code is on its way, or settings are saved. */
  readonly flow: F | undefined
  /** Of the form as a whole. Those of fields are in `fields`. */
  readonly messages: readonly UiText[]
  /** A refusal without a form, such as a rate limit. */
  readonly refusal: FormMessage | undefined
  readonly methods: readonly OfferedMethod[]
  /** Submit one with `submit('oidc', { provider: id })`. */
  readonly providers: readonly OfferedProvider[]
  fields(method: string): readonly FormField[]
  /** Sends the typed texts by name. `passkey` opens the dialog of the browser, and throws if it is closed. */
  submit(method: string, typed?: FormData | FieldTexts): Promise<void>
}

/** How a passkey is answered: the field, and whether it is a new one. */
interface PasskeyField {
  readonly name: string
  readonly isNew: boolean
}

export function useFlowForm<F extends AnyFlow, Body>(
  calls: FlowCalls<F, Body>,
  passkey: PasskeyField | undefined,
  { onNext, ...place }: FlowFormOptions,
): FlowForm<F> {
  const used = useFlow(calls, place)
  const { refetch } = useAuth()
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<FormMessage>()
  const [isUnreachable, setUnreachable] = useState(false)
  useRestored(() => setBusy(false))
  const { opened, flow } = used

  async function follow(reply: Reply<F> | Opened<F>): Promise<void> {
    setUnreachable(reply.kind === 'unreachable')
    setRefusal(reply.kind === 'refused' ? reply.reason : undefined)
    if (reply.kind === 'go') return location.assign(reply.url)
    const next = nextAfter(reply)
    if (next?.kind === 'done' || next?.kind === 'already-signed-in') await refetch()
    if (next) await onNext(next)
  }

  const followOpened = useEffectEvent(follow)
  useEffect(() => {
    if (opened && opened.kind !== 'flow') void followOpened(opened)
  }, [opened])

  async function submit(method: string, typed: FormData | FieldTexts = {}): Promise<void> {
    if (isBusy || !flow) return
    setBusy(true)
    try {
      const answer = method === 'passkey' && passkey ? await answerPasskey(flow, passkey) : {}
      const body = { ...bodyOf(flow, method, typed), ...answer }
      await follow(await used.submit({ build: (csrf_token) => ({ ...body, csrf_token }) as Body }))
    } finally {
      setBusy(false)
    }
  }

  return {
    status: statusOf(isBusy, isUnreachable || used.isUnreachable, flow !== undefined),
    flow,
    messages: flow?.ui.messages ?? [],
    refusal,
    methods: methodsOf(flow),
    providers: providersOf(flow),
    fields: (method) => fieldsOf(flow, method),
    submit,
  }
}

function statusOf(isBusy: boolean, isUnreachable: boolean, isOpen: boolean): FlowForm<AnyFlow>['status'] {
  if (isBusy) return 'submitting'
  if (isUnreachable) return 'unreachable'
  return isOpen ? 'ready' : 'loading'
}

function nextAfter(reply: Reply<unknown> | Opened<unknown>): Next | undefined {
  switch (reply.kind) {
    case 'done':
      return { kind: 'done', verification: findVerificationId(reply.continueWith) }
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

async function answerPasskey(flow: AnyFlow, { name, isNew }: PasskeyField): Promise<object> {
  const question = isNew ? newPasskeyQuestion(flow) : passkeyQuestion(flow)
  if (question === undefined) throw new Error('This form or this browser has no passkeys')
  return { [name]: await (isNew ? makePasskey(question, []) : provePasskey(question)) }
}
