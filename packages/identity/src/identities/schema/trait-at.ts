import { isObject } from '../../input/json.ts'
import type { Json, JsonObject } from '../../wire/identity.ts'

export function traitAt(traits: JsonObject, steps: readonly string[]): Json | undefined {
  return steps.slice(1).reduce<Json | undefined>(memberOf, traits)
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** `*` in `steps` visits each entry of a list. */
export function textsAt(value: Json | undefined, [step, ...rest]: readonly string[]): string[] {
  if (step === undefined) return typeof value === 'string' && value.trim() !== '' ? [value] : []
  if (Array.isArray(value)) return step === '*' ? value.flatMap((entry: Json) => textsAt(entry, rest)) : []
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return []
  return textsAt((value as JsonObject)[step], rest)
}

/** Copies the traits. Undefined removes the value. */
export function withTrait(
  traits: JsonObject,
  [root = 'traits', step, ...rest]: readonly string[],
  value: Json | undefined,
): JsonObject {
  if (step === undefined) return traits
  const { [step]: present, ...others } = traits
  if (rest.length === 0) return value === undefined ? others : { ...traits, [step]: value }
  const inner = isObject(present) ? present : {}
  return { ...traits, [step]: withTrait(inner, [root, ...rest], value) }
}

/** Also drops list entries that contain one. */
export function withoutTexts(
  traits: JsonObject,
  [, ...steps]: readonly string[],
  matches: (text: string) => boolean,
): JsonObject {
  return pruneTexts(traits, steps, matches) as JsonObject
}

function pruneTexts(
  value: Json,
  [step, ...rest]: readonly string[],
  matches: (text: string) => boolean,
): Json | undefined {
  if (step === undefined) return typeof value === 'string' && matches(value) ? undefined : value
  if (Array.isArray(value)) return value.filter((entry: Json) => !textsAt(entry, rest).some(matches))
  if (!isObject(value) || !Object.hasOwn(value, step)) return value
  const { [step]: present, ...others } = value as JsonObject
  const remaining = present === undefined ? undefined : pruneTexts(present, rest, matches)
  return remaining === undefined ? others : { ...(value as JsonObject), [step]: remaining }
}

/** Splits a JSON Pointer (RFC 6901), also of a URI fragment (`#/a/b`) before percent-decoding. */
export function pointerSteps(pointer: string): string[] {
  const steps = pointer.replace(/^#/, '').split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}
