import { JsonnetError } from './tokens.ts'

export type Value = null | boolean | number | string | readonly Lazy[] | ObjectValue | FunctionValue

export type Lazy = () => Value

/** From the base to what was added to it. */
export interface ObjectValue {
  readonly kind: 'object'
  readonly layers: readonly Layer[]
  readonly values: Map<string, Value>
  checked: boolean
}

export interface Layer {
  readonly fields: ReadonlyMap<string, Field>
  assert?(self: ObjectValue, level: number): void
}

export interface Field {
  readonly visibility: 'inherited' | 'hidden' | 'visible'
  readonly isPlus: boolean
  value(self: ObjectValue, level: number): Value
}

export interface FunctionValue {
  readonly kind: 'function'
  readonly params: readonly string[]
  call(args: Arguments): Value
}

export interface Arguments {
  readonly positional: readonly Lazy[]
  readonly named: ReadonlyMap<string, Lazy>
}

export interface Builtin {
  /** Separated by spaces, with `name=` for one that may be omitted. */
  readonly signature: string
  readonly run: (budget: Budget, ...args: Value[]) => Value
}
export type Builtins = Readonly<Record<string, Builtin>>

export function builtin(signature: string, run: Builtin['run']): Builtin {
  return { signature, run }
}

/** Bounds the work, and with it memory. Strings and lists cost by their length. */
export interface Budget {
  steps: number
  depth: number
}

/** At most about half a second and 150 MB. A mapper takes a few hundred. */
const MOST_STEPS = 250_000
const DEEPEST = 500

export function newBudget(): Budget {
  return { steps: MOST_STEPS, depth: 0 }
}

/** Negative steps refund nothing. */
export function spend(budget: Budget, steps: number): void {
  budget.steps -= Math.max(0, steps)
  if (budget.steps < 0 || Number.isNaN(steps)) throw new JsonnetError('takes too long')
}

/** Up to `text` × `part` characters are compared, about 2,000 in the time of one step. */
export function spendOnSearch(budget: Budget, text: string, part: string): void {
  spend(budget, (text.length * part.length) / 2000)
}

export function nested<T>(budget: Budget, evaluate: () => T): T {
  budget.depth += 1
  if (budget.depth > DEEPEST) throw new JsonnetError('max stack frames exceeded')
  try {
    return evaluate()
  } finally {
    budget.depth -= 1
  }
}

export function lazy(compute: () => Value): Lazy {
  let value: Value | undefined
  let busy = false
  return () => {
    if (value !== undefined) return value
    if (busy) throw new JsonnetError('a value depends on itself')
    busy = true
    try {
      value = compute()
    } finally {
      busy = false
    }
    return value
  }
}

export function isList(value: Value): value is readonly Lazy[] {
  return Array.isArray(value)
}

const isKind =
  <Kind extends 'object' | 'function'>(kind: Kind) =>
  (value: Value): value is Extract<Value, { readonly kind: Kind }> =>
    typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind

export const isObject = isKind('object')
export const isFunction = isKind('function')

export function typeOf(value: Value): string {
  if (value === null) return 'null'
  if (isList(value)) return 'array'
  return typeof value === 'object' ? value.kind : typeof value
}

export function mismatch(expected: string, value: Value): JsonnetError {
  return new JsonnetError(`expected ${expected}, got ${typeOf(value)}`)
}

function expecting<Expected extends Value>(expected: string, is: (value: Value) => value is Expected) {
  return (value: Value): Expected => {
    if (!is(value)) throw mismatch(expected, value)
    return value
  }
}

export const asString = expecting('string', (value) => typeof value === 'string')
export const asNumber = expecting('number', (value) => typeof value === 'number')
export const asBoolean = expecting('boolean', (value) => typeof value === 'boolean')
export const asList = expecting('array', isList)
export const asObject = expecting('object', isObject)
export const asFunction = expecting('function', isFunction)

/** A string has its characters. */
export function itemsOf(value: Value): readonly Lazy[] {
  return typeof value === 'string' ? [...value].map((char) => () => char) : asList(value)
}

export function call(value: FunctionValue, ...args: readonly Value[]): Value {
  return value.call({ positional: args.map((one) => () => one), named: new Map() })
}

export function objectOf(layers: readonly Layer[]): ObjectValue {
  return { kind: 'object', layers, values: new Map(), checked: false }
}

export function objectFrom(entries: Iterable<readonly [string, Lazy]>): ObjectValue {
  const fields = new Map<string, Field>()
  for (const [name, value] of entries) fields.set(name, { visibility: 'inherited', isPlus: false, value })
  return objectOf([{ fields }])
}

export function hasField({ layers }: ObjectValue, name: string, below = layers.length): boolean {
  return layers.some(({ fields }, level) => level < below && fields.has(name))
}

/** Sorted, as in Jsonnet's output. */
export function fieldNames(budget: Budget, { layers }: ObjectValue, withHidden = false): string[] {
  const visible = new Map<string, boolean>()
  for (const { fields } of layers) {
    spend(budget, fields.size)
    for (const [name, { visibility }] of fields) {
      const inherited = visible.get(name) ?? true
      visible.set(name, visibility === 'inherited' ? inherited : visibility === 'visible')
    }
  }
  return [...visible].flatMap(([name, shown]) => (shown || withHidden ? [name] : [])).sort(byCodePoint)
}

export function byCodePoint(left: string, right: string): number {
  return left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right))
}

export function fromJson(budget: Budget, value: unknown): Value {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value !== 'object') throw new JsonnetError(`a ${typeof value} is not JSON`)
  const read = (one: unknown) => lazy(() => fromJson(budget, one))
  if (Array.isArray(value)) {
    spend(budget, value.length)
    return value.map(read)
  }
  const entries = Object.entries(value)
  spend(budget, entries.length)
  return objectFrom(entries.map(([name, one]) => [name, read(one)]))
}
