import type { UiNode, UiNodeInputAttributes, UiText } from '@ory/client-fetch'
import type { WithNodes } from '../flow/nodes.ts'
import { convert, type FieldTexts, replaceAt } from '../flow/traits.ts'

/** A field to render. `name` is that of the protocol, such as `identifier` or `traits.name`. */
export interface FormField
  extends Pick<
    UiNodeInputAttributes,
    'name' | 'type' | 'required' | 'disabled' | 'autocomplete' | 'maxlength' | 'pattern' | 'options' | 'value'
  > {
  readonly label: string
  /** What is wrong with it. */
  readonly messages: readonly UiText[]
}

interface InputNode extends UiNode {
  readonly attributes: UiNodeInputAttributes & { readonly node_type: 'input' }
}

/** The fields of one method, in the order of the service. */
export function fieldsOf(flow: WithNodes | undefined, method: string): FormField[] {
  return inputsOf(flow, method).flatMap(({ attributes, meta, messages }) => {
    const { type, name, ...rest } = attributes
    if (type === 'hidden' || isButton(type)) return []
    return [{ ...rest, type, name, label: meta.label?.text ?? name, messages }]
  })
}

export interface OfferedMethod {
  /** `password`, `code`, `passkey`, `totp` … */
  readonly name: string
  /** Of its button, such as "Sign in with password". */
  readonly label: string
}

/** Ways to go on besides providers. */
export function methodsOf(flow: WithNodes | undefined): OfferedMethod[] {
  const labels = new Map<string, string>()
  for (const node of flow?.ui.nodes ?? []) {
    const { group: name, meta } = node
    const isOther = !isInput(node) || !isButton(node.attributes.type) || /^(default|oidc|saml)$/.test(name)
    if (!isOther && !labels.has(name)) labels.set(name, meta.label?.text ?? name)
  }
  return [...labels].map(([name, label]) => ({ name, label }))
}

export interface OfferedProvider {
  readonly id: string
  /** Such as GitHub, if the service says it. */
  readonly name: string | undefined
  /** Of the button, such as "Sign in with GitHub". */
  readonly label: string
}

export function providersOf(
  flow: WithNodes | undefined,
  field: 'provider' | 'link' | 'unlink' = 'provider',
): OfferedProvider[] {
  return (flow?.ui.nodes ?? []).flatMap(({ attributes, meta: { label } }) => {
    if (attributes.node_type !== 'input' || attributes.name !== field) return []
    const { provider } = (label?.context ?? {}) as { provider?: string }
    const id = String(attributes.value)
    return [{ id, name: provider, label: label?.text ?? id }]
  })
}

/** What the user has typed, as the service expects it: nested, with the hidden fields of the method. */
export function bodyOf(flow: WithNodes, method: string, typed: FormData | FieldTexts): object {
  const texts = typed instanceof FormData ? (Object.fromEntries(typed) as FieldTexts) : typed
  const fields = fieldsOf(flow, method)
  const others = Object.entries(texts).filter(([name]) => !fields.some((field) => field.name === name))
  const hidden = inputsOf(flow, method).flatMap(({ attributes: { name, type, value } }) =>
    type === 'hidden' && value !== undefined && value !== '' ? [[name, value] as const] : [],
  )
  const start: object = { ...Object.fromEntries([...hidden, ...others]), method }
  return fields.reduce((body, field) => replaceAt(body, field.name.split('.'), convert(field, texts)), start)
}

function inputsOf(flow: WithNodes | undefined, method: string): InputNode[] {
  return (flow?.ui.nodes ?? []).filter(isInput).filter(({ group }) => group === method || group === 'default')
}

function isInput(node: UiNode): node is InputNode {
  return node.attributes.node_type === 'input'
}

function isButton(type: UiNodeInputAttributes['type']): boolean {
  return type === 'submit' || type === 'button'
}
