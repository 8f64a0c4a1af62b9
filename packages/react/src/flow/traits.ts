import type { UiNodeInputAttributes } from '@ory/client-fetch'
import type { WithNodes } from './nodes.ts'

/** A field of the account, as the identity schema describes it. Excludes the email. */
export interface Trait extends Pick<UiNodeInputAttributes, 'name' | 'type' | 'required' | 'options'> {
  /** `traits.name` */
  readonly name: string
  readonly label: string
  readonly value: unknown
}

/** In the order of the schema. */
export function traitsIn(flow: WithNodes | undefined): Trait[] {
  const traits = new Map<string, Trait>()
  for (const { attributes, meta } of flow?.ui.nodes ?? []) {
    if (attributes.node_type !== 'input' || attributes.disabled || attributes.type === 'hidden') continue
    const { name, type, required, options, value } = attributes
    // Each method may repeat the traits.
    if (!name.startsWith('traits.') || name === 'traits.email' || traits.has(name)) continue
    traits.set(name, { name, type, required, options, value, label: meta.label?.text ?? name.slice(7) })
  }
  return [...traits.values()]
}

/** Registration asks for these. The profile page has them all. */
export function requiredTraits(flow: WithNodes | undefined): Trait[] {
  return traitsIn(flow).filter(({ required }) => required)
}

/** Field values by name. An unticked box has no entry. */
export type FieldTexts = Readonly<Record<string, string | undefined>>

type Typed = Pick<Trait, 'name' | 'type' | 'options'>

/** The text of a field as the service expects it. Undefined if it is empty. */
export function convertFieldText({ name, type, options }: Typed, texts: FieldTexts): unknown {
  const text = type === 'password' ? texts[name] : texts[name]?.trim()
  if (type === 'checkbox') return Boolean(text)
  if (!text) return undefined
  if (options) return options.find(({ value }) => `${value}` === text)?.value
  return type === 'number' ? Number(text) : text
}

export function replaceAt(values: object, [step = '', ...rest]: readonly string[], value: unknown): object {
  const { [step]: before, ...others } = values as Record<string, unknown>
  const after = rest.length === 0 ? value : replaceAt((before as object | undefined) ?? {}, rest, value)
  return after === undefined ? others : { ...others, [step]: after }
}
