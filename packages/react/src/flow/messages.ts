import type { UiContainer, UiNode, UiText } from '@ory/client-fetch'
import { type FormMessage, formMessage } from './form-message.ts'
import * as messageIds from './message-ids.ts'

interface Shown {
  readonly ui: UiContainer
}

type Message = Pick<UiText, 'id' | 'text' | 'type'>

/** A flow keeps what it said before: an error contradicts an earlier success, and may be there many times. */
export function currentMessages<M extends Message>(messages: readonly M[]): readonly M[] {
  const hasError = messages.some(({ type }) => type === 'error')
  const current = messages.filter(({ type }) => !hasError || type !== 'success')
  return [...new Map(current.map((message) => [`${message.id} ${message.text}`, message])).values()]
}

/** If the form has errors, only those. */
export function formTexts(flow: Shown): FormMessage | undefined {
  const all = currentMessages(flow.ui.messages ?? []).filter((message) => !isCancelled(message))
  const errors = all.filter(({ type }) => type === 'error')
  const shownMessages = errors.length > 0 ? errors : all
  const [only, ...more] = shownMessages
  return only && more.length === 0 ? formMessage(only.text, only.context) : lines(shownMessages)
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

export function hasErrors(flow: Shown): boolean {
  return formErrorTexts(flow) !== undefined || otherFieldErrorTexts(flow) !== undefined
}

/** A flow of settings that was saved before stays `success` when a later change is refused. */
export function isSaved(flow: Shown & { readonly state?: unknown }): boolean {
  return flow.state === 'success' && !hasErrors(flow)
}

export function findMessage({ ui }: Shown, ...ids: readonly number[]): UiText | undefined {
  return ui.messages?.find(({ id }) => ids.includes(id))
}

export function fieldErrorTexts(flow: Shown, name: string): string | undefined {
  return lines(flow.ui.nodes.filter((node) => nameOf(node) === name).flatMap((node) => errors(node.messages)))
}

/** Errors of fields that the page does not have, with their labels. */
export function otherFieldErrorTexts(flow: Shown, ...ownFields: readonly string[]): string | undefined {
  const texts = flow.ui.nodes
    .filter((node) => !ownFields.includes(nameOf(node) ?? ''))
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
