import { z } from 'zod'
import { isObject } from '../../input/json.ts'
import type { TraitLeaf } from '../../ui/trait-nodes.ts'
import { pointerSteps } from './trait-at.ts'

const KEYWORD = 'ory.sh/kratos'
const DEEPEST = 8
const VERIFIABLE_FORMATS = ['email', 'tel', 'date', 'time', 'date-time', 'no-validate']

const via = z.enum(['email', 'sms'])

/** The keyword `ory.sh/kratos` of a trait. */
const marks = z.strictObject({
  credentials: z
    .strictObject({
      password: z.strictObject({ identifier: z.boolean().default(false) }).optional(),
      webauthn: z.strictObject({ identifier: z.boolean().default(false) }).optional(),
      passkey: z.strictObject({ display_name: z.boolean().default(false) }).optional(),
      totp: z.strictObject({ account_name: z.boolean().default(false) }).optional(),
      code: z.strictObject({ identifier: z.boolean().default(false), via: via.optional() }).optional(),
    })
    .default({}),
  verification: z.strictObject({ via }).optional(),
  recovery: z.strictObject({ via }).optional(),
  organizations: z.strictObject({ matcher: z.string() }).optional(),
})

export type Marks = z.output<typeof marks>

type Definition = Record<string, unknown>

export interface Leaf extends TraitLeaf {
  /** Such as `['traits', 'name', 'first']`. */
  readonly steps: readonly string[]
  /** JSON types of list entries. */
  readonly item_types: readonly string[]
}

/** `*` in its steps matches each entry of a list. */
export interface MarkedTrait {
  readonly steps: readonly string[]
  readonly marks: Marks
}

export interface WalkedTraits {
  readonly leaves: Leaf[]
  readonly markedTraits: MarkedTrait[]
  readonly objects: (readonly string[])[]
  /** Their role implies a format. */
  readonly implied: { readonly definition: Definition; readonly format: string }[]
}

interface Walk extends WalkedTraits {
  readonly document: Definition
}

interface TraitPath {
  readonly steps: readonly string[]
  readonly required: boolean
}

/** Keeps the order of the file. Throws an error that names the trait. */
export function walkTraits(document: unknown): WalkedTraits {
  const root = asDefinition(document) ?? {}
  const traits = asDefinition(asDefinition(root.properties)?.traits)
  if (!traits) throw new Error('expected an object schema in properties.traits')
  const walk: Walk = { document: root, leaves: [], markedTraits: [], objects: [], implied: [] }
  collectMarks(walk, [traits], { steps: ['traits'], required: true })
  if (!asDefinition(traits.properties) && walk.leaves.length === 0) {
    throw new Error('expected at least one property in properties.traits')
  }
  return walk
}

/** All `definitions` apply to the same value. */
function collectMarks(walk: Walk, definitions: readonly Definition[], place: TraitPath): void {
  if (place.steps.length > DEEPEST)
    throw new Error(`${place.steps.join('.')}: traits may be nested ${DEEPEST} deep`)
  const parts = definitions.flatMap((definition) => branches(walk.document, definition, 0))
  const before = walk.markedTraits.length
  readMarks(walk, parts, place)
  const properties = propertiesOf([...parts, ...conditions(walk.document, parts)])
  if (properties.size > 0 || typesOf(parts).includes('object')) {
    visitProperties(walk, parts, properties, place)
    return
  }
  const items = asDefinitions(parts.map((part) => part.items))
  if (items.length > 0) collectMarks(walk, items, { ...place, steps: [...place.steps, '*'] })
  if (!place.steps.includes('*'))
    addLeaf(walk, parts, items, { ...place, marks: walk.markedTraits.slice(before) })
}

function visitProperties(
  walk: Walk,
  parts: readonly Definition[],
  properties: ReadonlyMap<string, readonly Definition[]>,
  { steps }: TraitPath,
): void {
  if (!steps.includes('*') && typesOf(parts).every((type) => type === 'object')) walk.objects.push(steps)
  const required = parts.flatMap((part) => asList(part.required))
  for (const [name, definitions] of properties) {
    if (name === '__proto__') throw new Error(`${steps.join('.')}: a trait cannot be called __proto__`)
    collectMarks(walk, definitions, { steps: [...steps, name], required: required.includes(name) })
  }
}

function addLeaf(
  walk: Walk,
  parts: readonly Definition[],
  items: readonly Definition[],
  { steps, required, marks }: TraitPath & { readonly marks: readonly MarkedTrait[] },
): void {
  const itemParts = items.flatMap((item) => branches(walk.document, item, 0))
  if (propertiesOf(itemParts).size > 0) return
  const text = (keyword: string) =>
    parts.map((part) => part[keyword]).find((value) => typeof value === 'string')
  const choices = (parts.map((part) => part.enum).find(Array.isArray) ?? []).filter(isScalar)
  const [format, title, pattern] = [text('format'), text('title'), text('pattern')]
  walk.leaves.push({
    path: steps.join('.'),
    steps,
    types: typesOf(parts),
    item_types: typesOf(itemParts),
    ...(format !== undefined && { format }),
    ...(title !== undefined && { title }),
    ...(pattern !== undefined && { pattern }),
    ...(choices.length > 0 && { options: choices.map((value) => ({ value })) }),
    required,
    disabled: parts.some((part) => part.disableFormField === true),
    // Kratos compatibility: list entries do not name the sign-in field.
    identifies: marks.some((marked) => !marked.steps.includes('*') && identifies(marked.marks)),
  })
}

function readMarks(walk: Walk, parts: readonly Definition[], { steps }: TraitPath): void {
  const format = parts.map((part) => part.format).find((value) => typeof value === 'string')
  for (const definition of parts) {
    if (definition[KEYWORD] === undefined) continue
    const read = marks.safeParse(definition[KEYWORD])
    if (!read.success) throw new Error(`${steps.join('.')}: ${KEYWORD}: ${z.prettifyError(read.error)}`)
    assertVerifiable(read.data, format, steps)
    walk.markedTraits.push({ steps, marks: read.data })
    const implied = impliedFormat(read.data)
    if (format === undefined && implied !== undefined) walk.implied.push({ definition, format: implied })
  }
}

function assertVerifiable(marks: Marks, format: string | undefined, steps: readonly string[]): void {
  if (!marks.verification) return
  if (format === undefined && marks.verification.via === 'email') return
  if (format !== undefined && VERIFIABLE_FORMATS.includes(format)) return
  throw new Error(
    `${steps.join('.')}: a verifiable trait needs a format, one of ${VERIFIABLE_FORMATS.join(', ')}`,
  )
}

/** The definition with everything that it references or combines. */
function branches(document: Definition, definition: Definition, depth: number): Definition[] {
  if (depth > DEEPEST) throw new Error('the schema is recursive')
  const referred = typeof definition.$ref === 'string' ? [resolve(document, definition.$ref)] : []
  const combined = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => asList(definition[keyword]))
  const inner = asDefinitions([...referred, ...combined])
  return [definition, ...inner.flatMap((part) => branches(document, part, depth + 1))]
}

/** Properties under a condition are not required. */
function conditions(document: Definition, parts: readonly Definition[]): Definition[] {
  const definitions = asDefinitions(parts.flatMap((part) => [part.if, part.then, part.else, part.not]))
  return definitions.flatMap((part) => branches(document, part, 0))
}

function resolve(document: Definition, reference: string): unknown {
  if (!reference.startsWith('#'))
    throw new Error(`${reference}: only references within the schema are supported`)
  const steps = pointerSteps(decodeURIComponent(reference.slice(1)))
  const target = steps.reduce<unknown>((value, step) => asDefinition(value)?.[step], document)
  if (!asDefinition(target)) throw new Error(`${reference}: the reference has no target`)
  return target
}

function propertiesOf(parts: readonly Definition[]): Map<string, Definition[]> {
  const properties = new Map<string, Definition[]>()
  for (const part of parts) {
    for (const [name, value] of Object.entries(asDefinition(part.properties) ?? {})) {
      const definition = asDefinition(value)
      if (definition) properties.set(name, [...(properties.get(name) ?? []), definition])
    }
  }
  return properties
}

function typesOf(parts: readonly Definition[]): string[] {
  const types = parts.flatMap((part) =>
    asList(part.type ?? (isScalar(part.const) ? typeof part.const : undefined)),
  )
  return [...new Set(types.filter((type) => typeof type === 'string'))]
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function asList(value: unknown): unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function asDefinition(value: unknown): Definition | undefined {
  return isObject(value) ? value : undefined
}

function asDefinitions(values: readonly unknown[]): Definition[] {
  return values.map(asDefinition).filter((value) => value !== undefined)
}

function identifies({ credentials }: Marks): boolean {
  const { password, webauthn, passkey, totp, code } = credentials
  return [
    password?.identifier,
    webauthn?.identifier,
    passkey?.display_name,
    totp?.account_name,
    code?.identifier,
  ].includes(true)
}

function impliedFormat({ credentials, verification, recovery }: Marks): 'email' | 'tel' | undefined {
  const code = credentials.code?.identifier === true ? credentials.code.via : undefined
  const channel = verification?.via ?? recovery?.via ?? code
  if (channel === undefined) return undefined
  return channel === 'email' ? 'email' : 'tel'
}
