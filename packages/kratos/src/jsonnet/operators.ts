import { JsonnetError } from './tokens.ts'
import type { Budget, ObjectValue, Value } from './values.ts'
import {
  asBoolean,
  asNumber,
  byCodePoint,
  fieldNames,
  hasField,
  isList,
  isObject,
  mismatch,
  nested,
  objectOf,
  spend,
  typeOf,
} from './values.ts'

/** Reads a field of the whole object, or of the layers below one (`super`). */
export function getField(budget: Budget, obj: ObjectValue, name: string, below = obj.layers.length): Value {
  checkAsserts(obj)
  const isWhole = below === obj.layers.length
  const cachedValue = isWhole ? obj.values.get(name) : undefined
  if (cachedValue !== undefined) return cachedValue
  const level = obj.layers.findLastIndex(({ fields }, at) => at < below && fields.has(name))
  const field = obj.layers[level]?.fields.get(name)
  if (!field) throw new JsonnetError(`field does not exist: ${name}`)
  const ownValue = nested(budget, () => field.value(obj, level))
  const adds = field.isPlus && hasField(obj, name, level)
  const value = adds ? add(budget, getField(budget, obj, name, level), ownValue) : ownValue
  if (isWhole) obj.values.set(name, value)
  return value
}

function checkAsserts(of: ObjectValue): void {
  if (of.checked) return
  of.checked = true
  for (const [level, layer] of of.layers.entries()) layer.assert?.(of, level)
}

export function add(budget: Budget, left: Value, right: Value): Value {
  if (typeof left === 'string' || typeof right === 'string') {
    const text = toText(budget, left) + toText(budget, right)
    spend(budget, text.length / 2)
    return text
  }
  if (typeof left === 'number' && typeof right === 'number') return finite(left + right)
  if (isList(left) && isList(right)) {
    spend(budget, left.length + right.length)
    return [...left, ...right]
  }
  if (isObject(left) && isObject(right)) {
    spend(budget, left.layers.length + right.layers.length)
    return objectOf([...left.layers, ...right.layers])
  }
  throw new JsonnetError(`cannot add ${typeOf(left)} and ${typeOf(right)}`)
}

export function unary(operator: string, of: Value): Value {
  if (operator === '!') return !asBoolean(of)
  const number = asNumber(of)
  if (operator === '~') return ~number
  return operator === '-' ? -number : number
}

type Numeric = (left: number, right: number) => number

const ARITHMETIC: Readonly<Record<string, Numeric>> = {
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => {
    if (right === 0) throw new JsonnetError('division by zero')
    return left / right
  },
  '%': (left, right) => {
    if (right === 0) throw new JsonnetError('division by zero')
    return left % right
  },
  '&': bitwise((left, right) => left & right),
  '|': bitwise((left, right) => left | right),
  '^': bitwise((left, right) => left ^ right),
  '<<': bitwise((left, right) => left << (right % 64n)),
  '>>': bitwise((left, right) => left >> (right % 64n)),
}

function bitwise(operate: (left: bigint, right: bigint) => bigint): Numeric {
  return (left, right) => {
    if (!Number.isSafeInteger(Math.trunc(left)) || !Number.isSafeInteger(Math.trunc(right)))
      throw new JsonnetError('a bitwise operand is out of range')
    const [first, second] = [BigInt(Math.trunc(left)), BigInt(Math.trunc(right))]
    return Number(BigInt.asIntN(64, operate(first, second)))
  }
}

const ORDER: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
}

export function binary(budget: Budget, operator: string, left: Value, right: Value): Value {
  if (operator === '==') return equals(budget, left, right)
  if (operator === '!=') return !equals(budget, left, right)
  const order = ORDER[operator]
  if (order) return order(compare(budget, left, right))
  const work = ARITHMETIC[operator]
  if (!work) throw new JsonnetError(`unknown operator ${operator}`)
  return finite(work(asNumber(left), asNumber(right)))
}

export function finite(number: number): number {
  if (!Number.isFinite(number)) throw new JsonnetError('overflow')
  return number
}

export function equals(budget: Budget, left: Value, right: Value): boolean {
  spend(budget, 1)
  if (isList(left) && isList(right)) {
    return (
      left.length === right.length &&
      left.every((one, at) => nested(budget, () => equals(budget, one(), right[at]?.() ?? null)))
    )
  }
  if (isObject(left) && isObject(right)) {
    const names = fieldNames(budget, left)
    const others = fieldNames(budget, right)
    if (names.length !== others.length || names.some((name, at) => name !== others[at])) return false
    return names.every((name) =>
      nested(budget, () => equals(budget, getField(budget, left, name), getField(budget, right, name))),
    )
  }
  if (typeOf(left) === 'function' && typeOf(right) === 'function')
    throw new JsonnetError('cannot compare functions')
  if (typeof left === 'string') spend(budget, left.length / 2000)
  return left === right
}

export function compare(budget: Budget, left: Value, right: Value): number {
  spend(budget, 1)
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'string' && typeof right === 'string') {
    spend(budget, (left.length + right.length) / 200)
    return byCodePoint(left, right)
  }
  if (!isList(left) || !isList(right)) throw mismatch('two numbers, strings or arrays', right)
  for (const [at, one] of left.entries()) {
    const other = right[at]
    if (!other) return 1
    const order = nested(budget, () => compare(budget, one(), other()))
    if (order !== 0) return order
  }
  return left.length - right.length
}

/** JSON values. Costs steps by their size, with the spaces in front of each line. */
export function toJson(budget: Budget, value: Value, indent = 0): unknown {
  spend(budget, 1 + (indent * budget.depth) / 2)
  if (typeof value === 'string') {
    spend(budget, value.length / 2)
    return value
  }
  if (isList(value)) return value.map((one) => nested(budget, () => toJson(budget, one(), indent)))
  if (isObject(value)) {
    const members = fieldNames(budget, value).map((name) => {
      spend(budget, name.length / 2)
      return [name, nested(budget, () => toJson(budget, getField(budget, value, name), indent))]
    })
    checkAsserts(value)
    return Object.fromEntries(members)
  }
  if (typeOf(value) === 'function') throw new JsonnetError('a function cannot be shown as JSON')
  return value
}

export function toText(budget: Budget, value: Value): string {
  if (typeof value === 'string') return value
  return spaced(toJson(budget, value))
}

/** `{"a": [1, 2]}`, as in Jsonnet. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[ ]' : `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${spaced(one)}`)
  return members.length === 0 ? '{ }' : `{${members.join(', ')}}`
}
