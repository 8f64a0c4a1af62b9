import type { UiNode, UiNodeImageAttributes, UiNodeInputAttributes, UiText } from '@ory/client-fetch'
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

/** A submit button to render. */
export interface FormAction {
  /** `password`, `code`, `passkey`, `oidc`, `totp` … */
  readonly method: string
  readonly name: string
  readonly value: string
  readonly label: string
}

/** The parts of one method. Each group is a form of its own. */
export interface FormGroup {
  readonly method: string
  readonly fields: readonly FormField[]
  readonly actions: readonly FormAction[]
  /** Such as the QR code of an authenticator app. */
  readonly images: readonly Pick<UiNodeImageAttributes, 'id' | 'src' | 'width' | 'height'>[]
  /** Such as its secret, or new backup codes. */
  readonly texts: readonly { readonly id: string; readonly label: string; readonly text: string }[]
}

/** They know the user already. */
const WITHOUT_IDENTIFIER = /^(passkey|oidc|saml|totp|lookup_secret)$/

const BY_OTHERS = /^(oidc|saml)$/

type InputNode = UiNode & { readonly attributes: UiNodeInputAttributes & { readonly node_type: 'input' } }

/** In the order of the service. What all methods need, such as the identifier, is in each group. */
export function groupsOf(flow: WithNodes | undefined): FormGroup[] {
  const nodes = flow?.ui.nodes ?? []
  return methodsIn(nodes)
    .map((method) => groupOf(nodes, method))
    .filter(({ actions, texts, images }) => actions.length + texts.length + images.length > 0)
}

function methodsIn(nodes: readonly UiNode[]): string[] {
  return [...new Set<string>(nodes.map(({ group }) => group))].filter((group) => group !== 'default')
}

/** The fields and hidden inputs that one method sends. */
function inputsOf(nodes: readonly UiNode[], method: string): InputNode[] {
  const isAlone = methodsIn(nodes).length === 1
  return nodes.filter(isInput).filter(({ group, attributes: { name } }) => {
    if (group !== 'default') return group === method
    // A provider tells the rest, unless the form asks for what it has kept.
    if (BY_OTHERS.test(method) && !isAlone) return false
    return name !== 'identifier' || !WITHOUT_IDENTIFIER.test(method)
  })
}

function groupOf(nodes: readonly UiNode[], method: string): FormGroup {
  const own = nodes.filter(({ group }) => group === method)
  return {
    method,
    fields: inputsOf(nodes, method).flatMap(fieldsOf),
    actions: own.flatMap(actionsOf),
    images: own.flatMap(({ attributes }) => (attributes.node_type === 'img' ? [attributes] : [])),
    texts: own.flatMap(({ attributes, meta }) =>
      attributes.node_type === 'text'
        ? [{ id: attributes.id, label: meta.label?.text ?? '', text: attributes.text.text }]
        : [],
    ),
  }
}

/**
 * What the user has typed, as the service expects it: nested, of the type of each field, with the hidden fields
 * of the method and the value of the button.
 */
export function bodyOf(flow: WithNodes, action: FormAction, typed: FormData | FieldTexts): object {
  const texts = typed instanceof FormData ? (Object.fromEntries(typed) as FieldTexts) : typed
  const nodes = inputsOf(flow.ui.nodes, action.method)
  const hidden = nodes.flatMap(({ attributes: { name, type, value } }) =>
    type === 'hidden' && value !== undefined && value !== '' ? [[name, value] as const] : [],
  )
  const pressed = isTrigger(action.name) ? {} : { [action.name]: booleanOr(action.value) }
  const start: object = { ...Object.fromEntries(hidden), method: action.method, ...pressed }
  return nodes
    .flatMap(fieldsOf)
    .reduce((body, field) => replaceAt(body, field.name.split('.'), convert(field, texts)), start)
}

/** Buttons have texts only. */
function booleanOr(value: string): string | boolean {
  return value === 'true' ? true : value
}

function fieldsOf({ attributes, meta, messages }: InputNode): FormField[] {
  const { type, name } = attributes
  if (type === 'hidden' || isButton(type)) return []
  return [{ ...attributes, label: meta.label?.text ?? name, messages }]
}

function actionsOf(node: UiNode): FormAction[] {
  if (!isInput(node) || !isButton(node.attributes.type)) return []
  const { name } = node.attributes
  const value = String(node.attributes.value ?? '')
  return [{ method: node.group, name, value, label: node.meta.label?.text ?? (value || name) }]
}

/** A button that opens the passkey dialog of the browser. */
export function isTrigger(name: string): boolean {
  return name.endsWith('_trigger')
}

function isInput(node: UiNode): node is InputNode {
  return node.attributes.node_type === 'input'
}

function isButton(type: UiNodeInputAttributes['type']): boolean {
  return type === 'submit' || type === 'button'
}
