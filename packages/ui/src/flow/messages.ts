import type { UiContainer, UiNode, UiText } from '@ory/client-fetch'
import { type FormMessage, formMessage, type Retry } from '../ui/form/form-error.tsx'
import type { Failure } from '../ui/form/use-form.ts'
import type { AnyFlow } from './kinds.ts'
import * as messageIds from './message-ids.ts'
import { CsrfTokenMissing } from './nodes.ts'
import type { Reply } from './submit-flow.ts'
import type { UsedFlow } from './use-flow.ts'

interface Shown {
  readonly ui: UiContainer
}

/** Without what else a form with errors says. */
export function formTexts(flow: Shown): FormMessage | undefined {
  const all = (flow.ui.messages ?? []).filter((message) => !isCancelled(message))
  const errors = all.filter(({ type }) => type === 'error')
  const shown = errors.length > 0 ? errors : all
  const [only, ...more] = shown
  return only && more.length === 0 ? formMessage(only.text, only.context) : lines(shown)
}

/** Declining at a provider is a choice, not an error. */
export function wasCancelled(flow: Shown): boolean {
  return flow.ui.messages?.some(isCancelled) ?? false
}

/** Error texts only, because a verification form has others too. */
export function formErrorTexts(flow: Shown): FormMessage | undefined {
  // A verification flow keeps the messages of earlier attempts. The newest is the answer.
  const newest = (flow.ui.messages ?? [])
    .filter((message) => message.type === 'error' && !isCancelled(message))
    .at(-1)
  return newest && formMessage(newest.text, newest.context)
}

export function findMessage({ ui }: Shown, ...ids: readonly number[]): UiText | undefined {
  return ui.messages?.find(({ id }) => ids.includes(id))
}

export function fieldErrorTexts(flow: Shown, name: string): string | undefined {
  return lines(flow.ui.nodes.filter((node) => nameOf(node) === name).flatMap((node) => errors(node.messages)))
}

/** Errors of fields that the page does not have, with their labels. */
export function otherFieldErrorTexts(flow: Shown, ...own: readonly string[]): string | undefined {
  const texts = flow.ui.nodes
    .filter((node) => !own.includes(nameOf(node) ?? ''))
    .flatMap(({ messages, meta }) =>
      errors(messages).map(({ text }) => (meta.label ? `${meta.label.text}: ${text}` : text)),
    )
  return texts.length === 0 ? undefined : texts.join('\n')
}

function errors(messages: readonly UiText[]): UiText[] {
  return messages.filter(({ type }) => type === 'error')
}

/** The protocol has no id for it. Both services quote the provider's code (RFC 6749 §4.1.2.1). */
function isCancelled({ id, text }: UiText): boolean {
  return id === messageIds.generic && text.includes('access_denied')
}

function nameOf({ attributes }: UiNode): string | undefined {
  return attributes.node_type === 'input' ? attributes.name : undefined
}

function lines(messages: readonly UiText[]): string | undefined {
  return messages.length === 0 ? undefined : messages.map(({ text }) => text).join('\n')
}

/** The error before a submission: the flow cannot be opened, or has messages. */
export function flowErrorOf(used: UsedFlow<AnyFlow, never>, wasSubmitted: boolean): FormMessage | undefined {
  if (used.isUnreachable) return UNREACHABLE
  return wasSubmitted || !used.flow ? undefined : formTexts(used.flow)
}

export function retryOf(
  form: { failure: Failure | undefined },
  used: Pick<UsedFlow<AnyFlow, never>, 'isUnreachable' | 'open'>,
): Retry {
  if (form.failure?.canRetry) return 'submit'
  return used.isUnreachable ? () => void used.open() : undefined
}

/** The error of a form for a reply that leads nowhere else; `failed` if the service gives no reason. */
export function failureOf(reply: Reply<unknown>, failed: string): Failure {
  if (reply.kind === 'unreachable') return { message: UNREACHABLE_KEPT, canRetry: true }
  return { message: (reply.kind === 'refused' && reply.reason) || failed, canRetry: false }
}

/** The specification's CSRF sentence, or `otherwise`. */
export function sentenceFor(error: unknown, otherwise: string): string {
  if (error instanceof CsrfTokenMissing) return error.message
  console.error(error)
  return otherwise
}

/** No response, or a 5xx. */
export const UNREACHABLE = 'We can’t reach the login service right now.'
const UNREACHABLE_KEPT = `${UNREACHABLE} Your entries are saved.`
/** The flow had expired or belongs to another browser. */
export const RENEWED = 'That page had expired or was opened in another browser. Here is a new one.'
