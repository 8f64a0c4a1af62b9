import { bindArguments } from './evaluate.ts'
import { format } from './format.ts'
import { listFunctions } from './lists.ts'
import { equals, finite, getField, toJson, toText } from './operators.ts'
import { textFunctions } from './texts.ts'
import { JsonnetError } from './tokens.ts'
import type { Budget, Builtin, Builtins, Lazy, ObjectValue, Value } from './values.ts'
import {
  asFunction,
  asNumber,
  asObject,
  asString,
  builtin,
  call,
  fieldNames,
  fromJson,
  hasField,
  isList,
  isObject,
  lazy,
  objectFrom,
  spend,
  typeOf,
} from './values.ts'

/** `std`, with `variables` for `std.extVar`. */
export function standardLibrary(budget: Budget, variables: ReadonlyMap<string, Lazy>): ObjectValue {
  const extVar: Builtin = builtin('x', (_, name) => {
    const value = variables.get(asString(name))
    if (!value) throw new JsonnetError(`undefined external variable: ${asString(name)}`)
    return value()
  })
  const all: Builtins = {
    ...typeFunctions,
    ...textFunctions,
    ...numberFunctions,
    ...objectFunctions,
    ...listFunctions,
    extVar,
  }
  // A record cannot have it as a member.
  const asText: Builtin = builtin('a', (_, a) => toText(budget, a))
  return objectFrom(
    [...Object.entries(all), ['toString', asText] as const].map(([name, builtin]) => [
      name,
      () => functionOf(budget, builtin),
    ]),
  )
}

function functionOf(budget: Budget, { signature, run }: Builtin): Value {
  const signatures = signature.split(' ').map((one) => one.split('='))
  const params = signatures.map(([name = '']) => name)
  return {
    kind: 'function',
    params,
    call(args) {
      const argumentsByName = bindArguments(params, args)
      const values = signatures.map(([name = '', isOptional]) => {
        const value = argumentsByName.get(name)
        if (!value && isOptional === undefined) throw new JsonnetError(`missing argument: ${name}`)
        return value ? value() : null
      })
      spend(budget, 1)
      for (const one of values) if (typeof one === 'string' || isList(one)) spend(budget, one.length / 2)
      return run(budget, ...values)
    },
  }
}

const typeFunctions: Builtins = {
  type: builtin('x', (_, x) => typeOf(x)),
  isString: builtin('v', (_, v) => typeof v === 'string'),
  isNumber: builtin('v', (_, v) => typeof v === 'number'),
  isBoolean: builtin('v', (_, v) => typeof v === 'boolean'),
  isNull: builtin('v', (_, v) => v === null),
  isObject: builtin('v', (_, v) => isObject(v)),
  isArray: builtin('v', (_, v) => isList(v)),
  isFunction: builtin('v', (_, v) => typeOf(v) === 'function'),
  length: builtin('x', (budget, x) => {
    if (typeof x === 'string') return [...x].length
    if (isList(x)) return x.length
    return isObject(x) ? fieldNames(budget, x).length : asFunction(x).params.length
  }),
  equals: builtin('x y', (budget, x, y) => equals(budget, x, y)),
  primitiveEquals: builtin('x y', (budget, x, y) => equals(budget, x, y)),
  assertEqual: builtin('a b', (budget, a, b) => {
    if (equals(budget, a, b)) return true
    throw new JsonnetError(`assertion failed: ${toText(budget, a)} != ${toText(budget, b)}`)
  }),
  trace: builtin('str rest', (_, _str, rest) => rest),
  xor: builtin('x y', (_, x, y) => x !== y),
  xnor: builtin('x y', (_, x, y) => x === y),
}

const unaryMath = (work: (n: number) => number): Builtin => builtin('n', (_, n) => finite(work(asNumber(n))))
const binaryMath = (work: (a: number, b: number) => number): Builtin =>
  builtin('a b', (_, a, b) => finite(work(asNumber(a), asNumber(b))))

const numberFunctions: Builtins = {
  abs: unaryMath(Math.abs),
  sign: unaryMath(Math.sign),
  floor: unaryMath(Math.floor),
  ceil: unaryMath(Math.ceil),
  round: unaryMath(Math.round),
  sqrt: unaryMath(Math.sqrt),
  exp: unaryMath(Math.exp),
  log: unaryMath(Math.log),
  max: binaryMath(Math.max),
  min: binaryMath(Math.min),
  modulo: binaryMath((a, b) => a % b),
  mod: builtin('a b', (budget, a, b) =>
    typeof a === 'string' ? format(budget, a, b) : finite(asNumber(a) % asNumber(b)),
  ),
  pow: builtin('x n', (_, x, n) => finite(asNumber(x) ** asNumber(n))),
  clamp: builtin('x minVal maxVal', (_, x, least, most) =>
    Math.min(Math.max(asNumber(x), asNumber(least)), asNumber(most)),
  ),
  isEven: builtin('n', (_, n) => asNumber(n) % 2 === 0),
  isOdd: builtin('n', (_, n) => Math.abs(asNumber(n) % 2) === 1),
  isInteger: builtin('n', (_, n) => Number.isInteger(asNumber(n))),
}

const namesOf = (names: readonly string[]): Value => names.map((one) => () => one)
const member = (budget: Budget, of: Value, name: string): Lazy =>
  lazy(() => getField(budget, asObject(of), name))
const valuesOf = (budget: Budget, of: Value, withHidden: boolean): Value =>
  fieldNames(budget, asObject(of), withHidden).map((name) => member(budget, of, name))

const objectFunctions: Builtins = {
  objectFields: builtin('o', (budget, o) => namesOf(fieldNames(budget, asObject(o)))),
  objectFieldsAll: builtin('o', (budget, o) => namesOf(fieldNames(budget, asObject(o), true))),
  objectHas: builtin('o f', (budget, o, f) => fieldNames(budget, asObject(o)).includes(asString(f))),
  objectHasAll: builtin('o f', (_, o, f) => hasField(asObject(o), asString(f))),
  objectHasEx: builtin('o f h', (budget, o, f, hidden) =>
    fieldNames(budget, asObject(o), hidden === true).includes(asString(f)),
  ),
  objectValues: builtin('o', (budget, o) => valuesOf(budget, o, false)),
  objectValuesAll: builtin('o', (budget, o) => valuesOf(budget, o, true)),
  objectKeysValues: builtin('o', (budget, o) =>
    fieldNames(budget, asObject(o)).map(
      (name) => () =>
        objectFrom([
          ['key', () => name],
          ['value', member(budget, o, name)],
        ]),
    ),
  ),
  objectRemoveKey: builtin('obj key', (budget, o, key) =>
    objectFrom(
      fieldNames(budget, asObject(o)).flatMap((name) =>
        name === key ? [] : [[name, member(budget, o, name)] as const],
      ),
    ),
  ),
  get: builtin('o f default= inc_hidden=', (budget, o, f, fallback, hidden) =>
    fieldNames(budget, asObject(o), hidden !== false).includes(asString(f))
      ? getField(budget, asObject(o), asString(f))
      : fallback,
  ),
  mapWithKey: builtin('func obj', (budget, work, o) =>
    objectFrom(
      fieldNames(budget, asObject(o)).map((name) => [
        name,
        lazy(() => call(asFunction(work), name, getField(budget, asObject(o), name))),
      ]),
    ),
  ),
  mergePatch: builtin('target patch', (budget, target, patch) => mergePatch(budget, target, patch)),
  prune: builtin('a', (budget, a) => fromJson(budget, prune(toJson(budget, a)))),
}

function mergePatch(budget: Budget, target: Value, patch: Value): Value {
  if (!isObject(patch)) return patch
  const base = isObject(target) ? target : objectFrom([])
  const names = new Set([...fieldNames(budget, base), ...fieldNames(budget, patch)])
  const merged = [...names].flatMap((name): (readonly [string, Lazy])[] => {
    if (!hasField(patch, name)) return [[name, member(budget, base, name)]]
    const next = getField(budget, patch, name)
    if (next === null) return []
    const before = hasField(base, name) ? getField(budget, base, name) : null
    return [[name, lazy(() => mergePatch(budget, before, next))]]
  })
  return objectFrom(merged)
}

/** Without null and what is empty. */
function prune(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prune).filter(isFull)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, one]) => [name, prune(one)] as const)
  return Object.fromEntries(members.filter(([, one]) => isFull(one)))
}

function isFull(value: unknown): boolean {
  return value !== null && (typeof value !== 'object' || Object.keys(value as object).length > 0)
}
