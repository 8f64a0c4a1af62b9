import type {
  SettingsFlow,
  UiNode,
  UiNodeImageAttributes,
  UiNodeInputAttributes,
  UiText,
} from '@ory/client-fetch'
import type { WithNodes } from '../flow/nodes.ts'
import { convertFieldText, type FieldTexts, replaceAt } from '../flow/traits.ts'

/** A field to render. `name` is that of the protocol, such as `identifier` or `traits.name`. */
export interface FormField
  extends Pick<
    UiNodeInputAttributes,
    'name' | 'type' | 'required' | 'disabled' | 'autocomplete' | 'maxlength' | 'pattern' | 'options' | 'value'
  > {
  readonly label: string
  /** Errors of the typed value. */
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

/** A button of the form to press. Without a name, the main one of the method. */
export type Action = Pick<FormAction, 'method'> & Partial<Pick<FormAction, 'name' | 'value'>>

/** The parts of one method, for a `<form>`. */
export interface FormGroup {
  readonly method: string
  readonly fields: readonly FormField[]
  readonly actions: readonly FormAction[]
  /** Such as the QR code of an authenticator app. */
  readonly images: readonly Pick<UiNodeImageAttributes, 'id' | 'src' | 'width' | 'height'>[]
  /** Such as its secret, or new backup codes. */
  readonly texts: readonly { readonly id: string; readonly label: string; readonly text: string }[]
}

/** Methods that identify the user without an identifier field. */
const WITHOUT_IDENTIFIER = /^(passkey|oidc|saml|totp|lookup_secret)$/

const BY_OTHERS = /^(oidc|saml)$/

type InputNode = UiNode & { readonly attributes: UiNodeInputAttributes & { readonly node_type: 'input' } }

/** In the order of the service. Common fields such as the identifier are in each group. */
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
    // The provider has the data. A form with this method only asks for the missing fields.
    if (name.startsWith('traits.')) return isAlone || !BY_OTHERS.test(method)
    return name !== 'identifier' || !WITHOUT_IDENTIFIER.test(method)
  })
}

function groupOf(nodes: readonly UiNode[], method: string): FormGroup {
  const methodNodes = nodes.filter(({ group }) => group === method)
  return {
    method,
    fields: inputsOf(nodes, method).flatMap(fieldsOf),
    actions: methodNodes.flatMap(actionsOf),
    images: methodNodes.flatMap(({ attributes }) => (attributes.node_type === 'img' ? [attributes] : [])),
    texts: methodNodes.flatMap(({ attributes, meta }) =>
      attributes.node_type === 'text'
        ? [{ id: attributes.id, label: meta.label?.text ?? '', text: attributes.text.text }]
        : [],
    ),
  }
}

/**
 * The body to send, without `csrf_token`: typed values nested and converted to the types of their fields, hidden
 * fields of the method, and the value of the button. A field that is not given keeps its value.
 */
export function bodyOf(
  flow: WithNodes & Partial<Pick<SettingsFlow, 'identity'>>,
  action: Action,
  typed: FormData | FieldTexts,
): object {
  const nodes = inputsOf(flow.ui.nodes, action.method)
  const hidden = nodes.flatMap(({ attributes: { name, type, value } }) =>
    type === 'hidden' && value !== undefined && value !== '' ? [[name, value] as const] : [],
  )
  const { name = 'method', value = action.method } = action
  const pressed = opensPasskeyDialog(action) ? {} : { [name]: booleanOr(value) }
  // The nodes of a refused change have what was typed, and there are traits without a node.
  const traits = action.method === 'profile' ? flow.identity?.traits : undefined
  const stored = traits && { traits }
  const start: object = { ...Object.fromEntries(hidden), method: action.method, ...pressed, ...stored }
  return nodes
    .flatMap(fieldsOf)
    .filter((field) => !stored || isGiven(typed, field) || !field.name.startsWith('traits.'))
    .reduce((body, field) => replaceAt(body, field.name.split('.'), valueIn(typed, field)), start)
}

function valueIn(typed: FormData | FieldTexts, field: FormField): unknown {
  return isGiven(typed, field) ? convertFieldText(field, textsOf(typed)) : field.value
}

function isGiven(typed: FormData | FieldTexts, { name, type }: Pick<FormField, 'name' | 'type'>): boolean {
  // An unticked box is not in a form's data.
  return (type === 'checkbox' && typed instanceof FormData) || name in textsOf(typed)
}

export function textsOf(typed: FormData | FieldTexts): FieldTexts {
  return typed instanceof FormData ? (Object.fromEntries(typed) as FieldTexts) : typed
}

/** The values of all inputs with this name. */
export function valuesOf(flow: WithNodes, name: string): string[] {
  return flow.ui.nodes
    .filter(isInput)
    .flatMap(({ attributes }) => (attributes.name === name ? [`${attributes.value}`] : []))
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

export function opensPasskeyDialog({ method, name }: Action): boolean {
  return name === undefined ? method === 'passkey' : name.endsWith('_trigger')
}

function isInput(node: UiNode): node is InputNode {
  return node.attributes.node_type === 'input'
}

function isButton(type: UiNodeInputAttributes['type']): boolean {
  return type === 'submit' || type === 'button'
}
