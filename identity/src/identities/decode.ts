import { parseBool } from '../config/parse-bool.ts'
import { FormError } from '../errors.ts'
import { messages } from '../ui/messages.ts'
import type { Json, JsonObject } from '../wire/identity.ts'
import type { IdentitySchema } from './schema.ts'
import type { Leaf } from './schema-walk.ts'

type Values = Readonly<Record<string, unknown>>

const DEEPEST = 8
const MOST_ENTRIES = 200

/**
 * The traits of a submission: its `traits` object as it is, and members such as `traits.email` turned into what the
 * schema says. Throws `FormError` for traits that are no object, or are nested or numerous beyond reason.
 */
export function decodeTraits(
  schema: Pick<IdentitySchema, 'leaves' | 'objects'>,
  values: Values,
): { readonly traits: JsonObject } {
  const identity: Branch = { traits: readObject(values, 'traits') }
  for (const leaf of schema.leaves) {
    const raw = leaf.types.includes('array') ? entriesOf(values, leaf.path) : values[leaf.path]
    if (raw === undefined) continue
    const value = converted(leaf, raw)
    if (value !== undefined) place(identity, leaf.steps, value)
  }
  for (const steps of schema.objects) place(identity, steps, valueAt(identity, steps) ?? {})
  return { traits: identity.traits as JsonObject }
}

/**
 * A text field; a script's number, boolean, list or object is read as its JSON. `undefined` when it is missing, null
 * or empty.
 */
export function readText(values: Values, name: string): string | undefined {
  const text = Object.hasOwn(values, name) ? textOf(values[name]) : ''
  return text === '' ? undefined : text
}

/** A switch, which a form sends as text. */
export function readFlag(values: Values, name: string): boolean {
  return parseBool(readText(values, name) ?? '') ?? false
}

/** An object field; a form sends it as JSON. Empty when it is missing. Throws `FormError` for anything else. */
export function readObject(values: Values, name: string): JsonObject {
  const sent = Object.hasOwn(values, name) ? values[name] : undefined
  if (sent === undefined || sent === null || sent === '') return {}
  const value = typeof sent === 'string' ? parsed(sent) : sent
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FormError(messages.wrongType(['object'], Array.isArray(value) ? 'array' : typeof sent), name)
  }
  return plain(value, { name, entries: 0 }, 1) as JsonObject
}

/** JSON while it is being put together; its members are its own, never those of a prototype. */
interface Branch {
  [step: string]: Json
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: then it is the text that it is.
    return text
  }
}

function plain(value: unknown, budget: { readonly name: string; entries: number }, depth: number): Json {
  if (typeof value !== 'object' || value === null) return value as Json
  const members = Object.entries(value)
  budget.entries += members.length
  const refused = depth > DEEPEST || budget.entries > MOST_ENTRIES || Object.hasOwn(value, '__proto__')
  if (refused) throw new FormError(messages.generic('This is more than the form can take.'), budget.name)
  const copies = members.map(([name, member]) => [name, plain(member, budget, depth + 1)] as const)
  return Array.isArray(value) ? copies.map(([, copy]) => copy) : Object.fromEntries(copies)
}

/** What a field becomes by its type in the schema; what cannot be converted stays a text and fails validation. */
function converted(leaf: Leaf, raw: unknown): Json | undefined {
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
  if (type === 'number' && /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return finite(text)
  if (type === 'integer' && /^[+-]?\d+$/.test(text))
    return Number.isSafeInteger(Number(text)) ? Number(text) : text
  return text
}

function finite(text: string): Json {
  return Number.isFinite(Number(text)) ? Number(text) : text
}

function listOf(leaf: Leaf, raw: unknown): Json | undefined {
  const entries = (Array.isArray(raw) ? raw : [raw]).map(textOf).filter((text) => text !== '')
  const type = leaf.item_types.length === 1 ? leaf.item_types[0] : undefined
  return entries.length === 0
    ? undefined
    : entries.slice(0, MOST_ENTRIES + 1).map((text) => scalar(type, text))
}

/** A list's fields: one for each entry that the form showed, and the one that adds to them. */
function entriesOf(values: Values, path: string): unknown[] | undefined {
  const own = Object.hasOwn(values, path) ? [values[path]].flat() : []
  const entries: unknown[] = []
  for (let index = 0; Object.hasOwn(values, `${path}.${index}`); index++)
    entries.push(values[`${path}.${index}`])
  return own.length + entries.length === 0 ? undefined : [...entries, ...own]
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function valueAt(value: Json, [step, ...rest]: readonly string[]): Json | undefined {
  if (step === undefined) return value
  const branch = asBranch(value)
  const next = branch && Object.hasOwn(branch, step) ? branch[step] : undefined
  return next === undefined ? undefined : valueAt(next, rest)
}

/** Puts a value where the schema has it, unless something that is no object stands in the way. */
function place(value: Json, [step, ...rest]: readonly string[], leaf: Json): void {
  const branch = asBranch(value)
  if (!branch || step === undefined) return
  if (rest.length === 0) {
    branch[step] = leaf
    return
  }
  if (!Object.hasOwn(branch, step)) branch[step] = {}
  place(branch[step] ?? null, rest, leaf)
}

function asBranch(value: Json): Branch | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Branch) : undefined
}
