import type { UiContainer, UiNode, UiText } from '@ory/client-fetch'

/** Texts by the id of the protocol's message. A function gets the message's context. */
export type MessageTexts = Readonly<
  Record<number, string | ((context: Readonly<Record<string, unknown>>) => string)>
>

/** A response with a form, in the words of the product. */
export async function rewordResponse(response: Response, texts: MessageTexts): Promise<Response> {
  if (Object.keys(texts).length === 0) return response
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { ui?: UiContainer } | undefined
  if (!body?.ui) return response
  const say = (message: UiText) => reword(message, texts)
  const { nodes, messages = [], ...ui } = body.ui
  const reworded = {
    ...body,
    ui: { ...ui, nodes: nodes.map((node) => sayIn(node, say)), messages: messages.map(say) },
  }
  return Response.json(reworded, { status: response.status, headers: response.headers })
}

function sayIn(node: UiNode, say: (message: UiText) => UiText): UiNode {
  const { label } = node.meta
  return {
    ...node,
    meta: { ...node.meta, ...(label && { label: say(label) }) },
    messages: node.messages.map(say),
  }
}

function reword(message: UiText, texts: MessageTexts): UiText {
  const ownText = texts[message.id]
  if (ownText === undefined) return message
  return { ...message, text: typeof ownText === 'string' ? ownText : ownText({ ...message.context }) }
}
