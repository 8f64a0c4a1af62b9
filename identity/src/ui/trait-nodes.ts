import type { Autocomplete, InputNode, InputType, NodeGroup } from '../wire/node.ts'
import type { UiText } from '../wire/text.ts'
import { messages } from './messages.ts'
import { input } from './nodes.ts'

/** What a form needs to know about one trait. */
export interface TraitLeaf {
  /** `traits.name.first`: the name of its field. */
  readonly path: string
  /** JSON types that the schema allows; empty when it names none. */
  readonly types: readonly string[]
  readonly format?: string
  readonly title?: string
  readonly pattern?: string
  /** Its own object asks for it. */
  readonly required: boolean
  /** The schema's `disableFormField`. */
  readonly disabled: boolean
  /** Somebody signs in with it, or is named by it in an authenticator. */
  readonly identifies: boolean
}

/** An identity schema as far as forms look at it. */
export interface FormSchema {
  /** In the order of the schema's file. */
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

/** One field for each trait, without values, in the order of the schema. */
export function traitNodes(schema: FormSchema, group: NodeGroup = 'default'): InputNode[] {
  // A trait of several types has no kind of field that would fit.
  return schema.leaves.filter(({ types }) => types.length < 2).map((leaf) => traitNode(leaf, group))
}

/** A field for a value that the schema has no leaf of its own for, such as one item of a list; the value says its kind. */
export function traitValueNode(path: string, value: unknown, group: NodeGroup): InputNode {
  const types: Readonly<Record<string, InputType>> = { number: 'number', boolean: 'checkbox' }
  return input(group, path, types[typeof value] ?? 'text', { value })
}

/** What the field is called that somebody signs in with. */
export function identifierLabel(schema: FormSchema): UiText {
  const [only, ...others] = schema.leaves.filter(({ identifies }) => identifies)
  if (only?.title === undefined || others.length > 0) return messages.identifierLabel
  return messages.traitLabel(only.title, only.path)
}

function traitNode(leaf: TraitLeaf, group: NodeGroup): InputNode {
  const { path, title, required, disabled, pattern } = leaf
  const { type, autocomplete } = kindOf(leaf)
  return input(group, path, type, {
    required,
    disabled,
    pattern,
    autocomplete,
    label: title === undefined ? undefined : messages.traitLabel(title, path),
  })
}

function kindOf({ path, types, format }: TraitLeaf): (typeof FORMATS)[string] {
  const byFormat = format !== undefined && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  if (byFormat) return byFormat
  if (types[0] === 'number' || types[0] === 'integer') return { type: 'number' }
  if (types[0] === 'boolean') return { type: 'checkbox' }
  return { type: path.endsWith('.password') ? 'password' : 'text' }
}
