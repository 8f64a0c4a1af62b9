import type { UiContainer, UiNode, UiText } from '@ory/client-fetch'

interface Shown {
  readonly ui: UiContainer
}

/** Every text of `ui.messages`, one a line. */
export function formTexts(flow: Shown): string | undefined {
  return lines(flow.ui.messages ?? [])
}

/** Only the texts of type error: a verification form has others too, which are no errors. */
export function formErrorTexts(flow: Shown): string | undefined {
  // The service piles up the messages of earlier tries on a verification flow: the newest is the answer.
  const newest = (flow.ui.messages ?? []).filter(({ type }) => type === 'error').at(-1)
  return newest && lines([newest])
}

/** What the service says about one field. */
export function fieldErrorTexts(flow: Shown, name: string): string | undefined {
  return lines(flow.ui.nodes.filter((node) => nameOf(node) === name).flatMap((node) => errors(node.messages)))
}

function errors(messages: readonly UiText[]): UiText[] {
  return messages.filter(({ type }) => type === 'error')
}

function nameOf({ attributes }: UiNode): string | undefined {
  return attributes.node_type === 'input' ? attributes.name : undefined
}

function lines(messages: readonly UiText[]): string | undefined {
  return messages.length === 0 ? undefined : messages.map(({ text }) => text).join('\n')
}
