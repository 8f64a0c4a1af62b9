import type { FlowKind } from '../wire/flow.ts'
import type { Autocomplete, InputNode, InputType, NodeGroup } from '../wire/node.ts'
import type { UiText } from '../wire/text.ts'
import { messages } from './messages.ts'
import { input } from './nodes.ts'

export interface TraitLeaf {
  /** The field's name, such as `traits.name.first`. */
  readonly path: string
  /** Empty if the schema names none. */
  readonly types: readonly string[]
  readonly format?: string
  readonly title?: string
  readonly pattern?: string
  readonly options?: readonly { readonly value: unknown }[]
  readonly required: boolean
  readonly disabled: boolean
  /** The trait is an identifier or an authenticator's account name. */
  readonly identifies: boolean
}

export interface FormSchema {
  readonly leaves: readonly TraitLeaf[]
}

const FORMATS: Readonly<Record<string, { readonly type: InputType; readonly autocomplete?: Autocomplete }>> =
  {
    email: { type: 'email', autocomplete: 'email' },
    tel: { type: 'tel', autocomplete: 'tel' },
    uri: { type: 'url', autocomplete: 'url' },
    date: { type: 'date' },
    'date-time': { type: 'datetime-local' },
  }

/** Whether a field is a trait, or all traits. */
export function isTrait(name: string): boolean {
  return name === 'traits' || name.startsWith('traits.')
}

export function traitGroup(kind: FlowKind): NodeGroup {
  return kind === 'settings' ? 'profile' : 'default'
}

/** Without values, in the schema's order. */
export function traitNodes(schema: FormSchema, group: NodeGroup = 'default'): InputNode[] {
  // No input type fits several types, or none.
  return schema.leaves.filter(({ types }) => types.length === 1).map((leaf) => traitNode(leaf, group))
}

/** For a value without a leaf in the schema, such as a list item. */
export function traitValueNode(path: string, value: unknown, group: NodeGroup): InputNode {
  const types: Readonly<Record<string, InputType>> = { number: 'number', boolean: 'checkbox' }
  return input(group, path, types[typeof value] ?? 'text', { value })
}

export function identifierLabel(schema: FormSchema): UiText {
  const [only, ...others] = schema.leaves.filter(({ identifies }) => identifies)
  if (only?.title === undefined || others.length > 0) return messages.identifierLabel
  return messages.traitLabel(only.title, only.path)
}

function traitNode(leaf: TraitLeaf, group: NodeGroup): InputNode {
  const { path, title, required, disabled, pattern, options } = leaf
  const { type, autocomplete } = kindOf(leaf)
  return input(group, path, type, {
    required,
    disabled,
    pattern,
    options,
    autocomplete,
    label: title === undefined ? undefined : messages.traitLabel(title, path),
  })
}

function kindOf({ types, format }: TraitLeaf): (typeof FORMATS)[string] {
  const byFormat = format !== undefined && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  if (byFormat) return byFormat
  if (types[0] === 'number' || types[0] === 'integer') return { type: 'number' }
  if (types[0] === 'boolean') return { type: 'checkbox' }
  return { type: 'text' }
}
