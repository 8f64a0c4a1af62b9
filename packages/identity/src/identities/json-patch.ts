import type { Json } from '../wire/identity.ts'
import { pointerSteps } from './schema/trait-at.ts'

export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove'
  /** JSON Pointer (RFC 6901). */
  readonly path: string
  readonly value?: Json
}

/**
 * Leaves the input unchanged. Kratos compatibility: `replace` adds a missing member and its parents. Throws
 * `RangeError` for an invalid path.
 */
export function applyPatch(document: Json, operations: readonly PatchOperation[]): Json {
  const copy = structuredClone(document)
  for (const operation of operations) applyOperation(copy, operation)
  return copy
}

/**
 * Kratos compatibility: ignores what precedes the first slash. Throws `RangeError` if there is none, for the whole
 * document.
 */
export function pointerOf(path: string): string[] {
  const names = pointerSteps(path)
  // Prevents prototype pollution.
  if (names.length > 0 && !names.includes('__proto__')) return names
  throw new RangeError(`${path} is not a path in the document`)
}

function applyOperation(document: Json, { op, path, value = null }: PatchOperation) {
  const names = pointerOf(path)
  const last = names.pop() ?? ''
  const parent = names.reduce<Json>((at, name) => child(at, name, op !== 'remove', path), document)
  if (Array.isArray(parent)) return applyToList(parent, last, op, value)
  if (typeof parent !== 'object' || parent === null) throw new RangeError(`${path} does not exist`)
  const object = parent as { [name: string]: Json }
  if (op !== 'remove') object[last] = value
  else if (!Object.hasOwn(object, last)) throw new RangeError(`${last} does not exist`)
  else delete object[last]
}

function child(at: Json, name: string, make: boolean, path: string): Json {
  if (typeof at !== 'object' || at === null) throw new RangeError(`${path} does not exist`)
  if (!Object.hasOwn(at, name) || (at as Readonly<Record<string, Json>>)[name] === null) {
    if (!make || Array.isArray(at)) throw new RangeError(`${path} does not exist`)
    ;(at as { [name: string]: Json })[name] = {}
  }
  return (at as Readonly<Record<string, Json>>)[name] ?? null
}

function applyToList(list: Json[], name: string, op: PatchOperation['op'], value: Json): void {
  const index = name === '-' && op === 'add' ? list.length : Number(name)
  const end = op === 'add' ? list.length : list.length - 1
  if (!/^(-|0|[1-9]\d*)$/.test(name) || !(index <= end))
    throw new RangeError(`the list has no position ${name}`)
  if (op === 'add') list.splice(index, 0, value)
  else if (op === 'replace') list[index] = value
  else list.splice(index, 1)
}
