interface Trait {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
}

interface Schema {
  readonly traits: Readonly<Record<string, Trait>>
  readonly requiredTraits: readonly string[]
}

/** The address, and a value for each other required trait, so that a product may require more. */
export function sampleTraits({ traits, requiredTraits }: Schema, email: string): Record<string, unknown> {
  return { ...Object.fromEntries(requiredTraits.map((name) => [name, sampleOf(traits[name])])), email }
}

function sampleOf({ type, format = '', enum: choices = [], const: only, minimum = 0 }: Trait = {}): unknown {
  const value = only ?? choices[0]
  if (value !== undefined) return value
  if (type === 'boolean') return true
  return type === 'number' || type === 'integer' ? minimum : (formatted[format] ?? 'Ada Lovelace')
}

const formatted: Readonly<Record<string, string>> = {
  date: '1990-12-10',
  tel: '+442079460000',
  uri: 'https://example.com/',
}
