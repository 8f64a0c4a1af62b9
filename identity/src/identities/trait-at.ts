import { isObject } from '../json-object.ts'
import type { Json, JsonObject } from '../wire/identity.ts'

/** The trait at `steps`, which begins with `traits`; undefined if absent. */
export function traitAt(traits: JsonObject, steps: readonly string[]): Json | undefined {
  return steps.slice(1).reduce<Json | undefined>(memberOf, traits)
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** A copy of the traits with another value at `steps`; undefined removes it. */
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
