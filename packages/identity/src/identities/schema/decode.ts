import { type FieldMessage, FormError } from '../../errors/errors.ts'
import { isObject } from '../../input/json.ts'
import { typedCode, withoutInvisible } from '../../input/normalise.ts'
import { jsonOrText, parseBool } from '../../input/plain-text.ts'
import { messages } from '../../ui/messages.ts'
import type { Json, JsonObject } from '../../wire/identity.ts'
import type { IdentitySchema } from './schema.ts'
import { typeName } from './schema-errors.ts'
import type { Leaf } from './schema-walk.ts'
import { traitAt } from './trait-at.ts'

type Values = Readonly<Record<string, unknown>>

const DEEPEST = 8
const MOST_ENTRIES = 200

/** Merges `traits` with members such as `traits.email`, converted by the schema. Throws `FormError` if traits are not an object, too deep or too many. */
export function decodeTraits(schema: Pick<IdentitySchema, 'leaves' | 'objects'>, values: Values): JsonObject {
  const identity: Branch = { traits: readObject(values, 'traits') }
  for (const leaf of schema.leaves) {
    const raw = leaf.types.includes('array') ? entriesOf(values, leaf.path) : values[leaf.path]
    if (raw === undefined) continue
    const value = convertLeaf(leaf, raw)
    if (value !== undefined) setLeaf(identity, leaf.steps, value)
  }
  for (const steps of schema.objects)
    setLeaf(identity, steps, traitAt(identity.traits as JsonObject, steps) ?? {})
  return identity.traits as JsonObject
}

export function readTraits(schema: IdentitySchema, values: Values): JsonObject {
  const traits = decodeTraits(schema, values)
  const wrong = schema.validate(traits)
  if (wrong.length > 0) throw new FormError(wrong)
  return traits
}

/** A text field, or the JSON of another value. Undefined if missing, null or empty. */
export function readText(values: Values, name: string): string | undefined {
  const text = Object.hasOwn(values, name) ? textOf(values[name]) : ''
  return text === '' ? undefined : text
}

/** For a value that the user must be able to type again, so the JSON of another type would lock out. */
export function checkText(values: Values, name: string): FieldMessage[] {
  if (readText(values, name) === undefined) return [{ message: messages.required(name), field: name }]
  const value = values[name]
  if (typeof value === 'string') return []
  return [{ message: messages.wrongType(['string'], typeName(value)), field: name }]
}

/** An email address or phone number, without the blanks that a keyboard or a paste adds. Blanks alone are an invalid address. */
export function readAddress(values: Values, name: string): string | undefined {
  const text = readText(values, name)
  return text && (withoutInvisible(text).trim() || text)
}

/** In the spelling in which codes are compared. Undefined if nothing is left. */
export function readCode(values: Values, name: string): string | undefined {
  return typedCode(readText(values, name) ?? '') || undefined
}

/** Whether a submission names this method or none, and has one of these fields. */
export function isFor(values: Values, method: string, ...fields: readonly string[]): boolean {
  const isNamed = !values.method || values.method === method
  return isNamed && fields.some((name) => readText(values, name) !== undefined)
}

/** False if missing. Throws `FormError`. */
export function readFlag(values: Values, name: string): boolean {
  const text = readText(values, name)
  const flag = text === undefined ? false : parseBool(text)
  if (flag === undefined) throw new FormError(messages.generic(`${name} must be true or false.`))
  return flag
}

/** An object, which a form sends as JSON. Empty if missing. Throws `FormError`. */
export function readObject(values: Values, name: string): JsonObject {
  const sentValue = Object.hasOwn(values, name) ? values[name] : undefined
  if (sentValue === undefined || sentValue === null || sentValue === '') return {}
  const value = typeof sentValue === 'string' ? jsonOrText(sentValue) : sentValue
  // Kratos compatibility: only traits are reported at their field.
  if (typeof value === 'string' && name !== 'traits')
    throw new FormError(messages.generic(`${name} must be a JSON object.`))
  if (!isObject(value)) {
    throw new FormError(
      messages.wrongType(['object'], typeName(Array.isArray(value) ? value : sentValue)),
      name,
    )
  }
  return plain(value, { name, entries: 0 }, 1) as JsonObject
}

interface Branch {
  [step: string]: Json
}

function plain(value: unknown, budget: { readonly name: string; entries: number }, depth: number): Json {
  if (typeof value !== 'object' || value === null) return value as Json
  const members = Object.entries(value)
  budget.entries += members.length
  const refused = depth > DEEPEST || budget.entries > MOST_ENTRIES || Object.hasOwn(value, '__proto__')
  if (refused) throw new FormError(messages.generic('The form contains too much data.'), budget.name)
  const copies = members.map(([name, member]) => [name, plain(member, budget, depth + 1)] as const)
  return Array.isArray(value) ? copies.map(([, copy]) => copy) : Object.fromEntries(copies)
}

/** A value that cannot be converted stays text and fails validation. */
function convertLeaf(leaf: Leaf, raw: unknown): Json | undefined {
  if (leaf.types.includes('array')) return listOf(leaf, raw)
  const text = textOf(leaf.types.includes('boolean') && Array.isArray(raw) ? raw.at(-1) : raw)
  const type = leaf.types.length === 1 ? leaf.types[0] : undefined
  return text === '' ? emptyValue(type, leaf.required) : scalar(type, text)
}

function emptyValue(type: string | undefined, required: boolean): Json | undefined {
  if (!required) return undefined
  if (type === 'boolean') return false
  return type === 'number' || type === 'integer' ? 0 : undefined
}

function scalar(type: string | undefined, text: string): Json {
  if (type === 'boolean') return parseBool(text) ?? text
  if (type !== 'number' && type !== 'integer') return text
  if (!/^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return text
  const limit = type === 'integer' ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE
  return Math.abs(Number(text)) <= limit ? Number(text) : text
}

function listOf(leaf: Leaf, raw: unknown): Json | undefined {
  const entries = (Array.isArray(raw) ? raw : [raw]).map(textOf).filter((text) => text !== '')
  const type = leaf.item_types.length === 1 ? leaf.item_types[0] : undefined
  return entries.length === 0
    ? undefined
    : entries.slice(0, MOST_ENTRIES + 1).map((text) => scalar(type, text))
}

/** One per entry of the form, and one for a new entry. */
function entriesOf(values: Values, path: string): unknown[] | undefined {
  const ownValues = Object.hasOwn(values, path) ? [values[path]].flat() : []
  const entries: unknown[] = []
  for (let index = 0; Object.hasOwn(values, `${path}.${index}`); index++)
    entries.push(values[`${path}.${index}`])
  return ownValues.length + entries.length === 0 ? undefined : [...entries, ...ownValues]
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Does nothing if something on the way is not an object. */
function setLeaf(value: Json, [step, ...rest]: readonly string[], leaf: Json): void {
  if (!isObject(value) || step === undefined) return
  const branch = value as Branch
  if (rest.length === 0) {
    branch[step] = leaf
    return
  }
  if (!Object.hasOwn(branch, step)) branch[step] = {}
  setLeaf(branch[step] ?? null, rest, leaf)
}
