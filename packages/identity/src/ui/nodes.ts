import { withoutUndefined } from '../input/json.ts'
import type { AnchorNode, InputAttributes, InputNode, InputType, NodeGroup, UiNode } from '../wire/node.ts'
import type { UiText } from '../wire/text.ts'

/** `undefined` and `false` are omitted. */
export type InputOptions = Partial<Omit<InputAttributes, 'node_type' | 'name' | 'type' | 'required'>> & {
  readonly required?: boolean | undefined
}

export function input(
  group: NodeGroup,
  name: string,
  type: InputType,
  { value, label, required, disabled = false, ...rest }: InputOptions = {},
): InputNode {
  const flags = { required: required || undefined, disabled }
  const attributes = { name, type, value, ...flags, ...rest, node_type: 'input' }
  return node('input', group, withoutUndefined(attributes) as InputNode['attributes'], label)
}

const UNTYPED: ReadonlySet<InputType> = new Set(['password', 'submit', 'button'])

/** Whether a form may show the submitted value again. */
export function isTypedText(type: InputType): boolean {
  return !UNTYPED.has(type)
}

export function hidden(group: NodeGroup, name: string, value?: unknown): InputNode {
  return input(group, name, 'hidden', { value })
}

/** Submits `name=value`, mostly with the name `method`. */
export function submit(group: NodeGroup, value: string, label: UiText, name = 'method'): InputNode {
  return input(group, name, 'submit', { value, label })
}

export function isSubmit(node: UiNode): boolean {
  return node.type === 'input' && node.attributes.type === 'submit'
}

/** `token` is empty for native apps, which have no cookie. */
export function csrfNode(token: string): InputNode {
  return input('default', 'csrf_token', 'hidden', { value: token, required: true })
}

export function image(
  group: NodeGroup,
  id: string,
  picture: { readonly src: string; readonly width: number; readonly height: number },
  label?: UiText,
): UiNode {
  return node('img', group, { ...picture, id, node_type: 'img' }, label)
}

export function text(group: NodeGroup, id: string, content: UiText, label?: UiText): UiNode {
  return node('text', group, { text: content, id, node_type: 'text' }, label)
}

/** Its title is also its label. */
export function anchor(group: NodeGroup, id: string, href: string, title: UiText): AnchorNode {
  return node('a', group, { href, title, id, node_type: 'a' }, title)
}

export function script(
  group: NodeGroup,
  id: string,
  source: { readonly src: string; readonly integrity: string; readonly nonce: string },
): UiNode {
  return node('script', group, {
    ...source,
    async: true,
    referrerpolicy: 'no-referrer',
    crossorigin: 'anonymous',
    type: 'text/javascript',
    id,
    node_type: 'script',
  })
}

export function nodeName(node: UiNode): string {
  return 'name' in node.attributes ? node.attributes.name : node.attributes.id
}

/** Only for inputs; without `value`, removes it. */
export function withValue(node: UiNode, value: unknown): UiNode {
  if (node.type !== 'input') return node
  const { value: _, ...attributes } = node.attributes
  return freeze({ ...node, attributes: { ...attributes, ...(value !== undefined && { value }) } })
}

export function asHidden(node: UiNode): UiNode {
  if (node.type !== 'input') return node
  return freeze({ ...node, attributes: { ...node.attributes, type: 'hidden' } })
}

export function withMessages(node: UiNode, messages: readonly UiText[]): UiNode {
  return freeze({ ...node, messages: [...node.messages, ...messages] })
}

/** Labels, and what a text or an anchor shows. */
export function withTexts(node: UiNode, change: (text: UiText) => UiText): UiNode {
  const { label } = node.meta
  const labelled = label === undefined ? node : { ...node, meta: { label: change(label) } }
  if (labelled.type === 'a')
    return freeze({
      ...labelled,
      attributes: { ...labelled.attributes, title: change(labelled.attributes.title) },
    })
  return freeze(labelled)
}

function node<Type extends UiNode['type'], Attributes extends UiNode['attributes']>(
  type: Type,
  group: NodeGroup,
  attributes: Attributes,
  label?: UiText,
) {
  return freeze({ type, group, attributes, messages: [], meta: label === undefined ? {} : { label } })
}

function freeze<Node extends Pick<UiNode, 'attributes' | 'messages' | 'meta'>>(node: Node): Node {
  Object.freeze(node.attributes)
  Object.freeze(node.messages)
  Object.freeze(node.meta)
  return Object.freeze(node)
}
