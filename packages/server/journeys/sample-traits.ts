/** JSON Schema of a trait. */
export interface TraitSchema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly examples?: readonly unknown[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly multipleOf?: number
}

export interface AccountSchema {
  readonly traits: Readonly<Record<string, TraitSchema>>
  readonly requiredTraits: readonly string[]
}

/** The address, and a value for each other required trait, so that a product may require more. */
export function sampleTraits(
  { traits, requiredTraits }: AccountSchema,
  email: string,
): Record<string, unknown> {
  const samples = requiredTraits.map((name) => [name, sampleOf(name, traits[name])])
  return { ...Object.fromEntries(samples), email }
}

function sampleOf(name: string, schema: TraitSchema = {}): unknown {
  const { type, format = '', pattern } = schema
  const [sample] = [schema.const, schema.examples?.[0], schema.enum?.[0]].filter((one) => one !== undefined)
  if (sample !== undefined) return sample
  if (type === 'boolean') return true
  if (type === 'number' || type === 'integer') return sampleNumber(schema)
  const text = format === '' ? sampleText(schema) : formatted[format]
  if (text === undefined || !new RegExp(pattern ?? '', 'u').test(text))
    throw new Error(
      `Tests and the demo need a value for the trait ${name}: add examples: ['…'] to it in app.config.ts.`,
    )
  return text
}

function sampleText({ minLength = 0, maxLength }: TraitSchema): string {
  return 'Ada Lovelace'.padEnd(minLength, 'e').slice(0, maxLength)
}

function sampleNumber({ minimum, exclusiveMinimum, maximum = 0, multipleOf = 1 }: TraitSchema): number {
  const above = exclusiveMinimum === undefined ? Math.min(0, maximum) : exclusiveMinimum + 1
  return Math.ceil((minimum ?? above) / multipleOf) * multipleOf
}

const formatted: Readonly<Record<string, string>> = {
  date: '1990-12-10',
  email: 'ada@example.org',
  tel: '+442079460000',
  uri: 'https://example.com/',
}
