import { format } from './format.ts'
import { cut } from './lists.ts'
import type { Argument, Assertion, Bind, Clause, FunctionNode, Node, ObjectNode } from './nodes.ts'
import { add, binary, getField, toText, unary } from './operators.ts'
import { JsonnetError } from './tokens.ts'
import type { Arguments, Budget, Field, FunctionValue, Layer, Lazy, ObjectValue, Value } from './values.ts'
import {
  asBoolean,
  asFunction,
  asList,
  asNumber,
  asObject,
  asString,
  hasField,
  isList,
  isObject,
  itemsOf,
  lazy,
  mismatch,
  nested,
  objectOf,
  spend,
} from './values.ts'

/** The meaning of names, `self` and `super` mean at a place in the program. */
export interface Scope {
  readonly names: ReadonlyMap<string, Lazy>
  readonly outer?: Scope | undefined
  readonly budget: Budget
  readonly self?: ObjectValue
  readonly level?: number
}

export function evaluate(node: Node, scope: Scope): Value {
  spend(scope.budget, 1)
  switch (node.kind) {
    case 'literal':
      return node.value
    case 'name':
      return find(scope, node.name)()
    case 'self':
      return selfOf(scope).self
    case 'super': {
      const { self, level } = selfOf(scope)
      return getField(scope.budget, self, asString(evaluate(node.index, scope)), level)
    }
    case 'in super': {
      const { self, level } = selfOf(scope)
      return hasField(self, asString(evaluate(node.name, scope)), level)
    }
    case 'array':
      return node.items.map((item) => lazy(() => evaluate(item, scope)))
    case 'array for':
      return scopesOf(node.clauses, scope).map((inner) => lazy(() => evaluate(node.item, inner)))
    case 'object':
      return objectOf([layerOf(node, [scope])])
    case 'object for':
      return objectOf([layerOf(node.object, scopesOf(node.clauses, scope))])
    case 'index':
      return index(scope, evaluate(node.operand, scope), evaluate(node.index, scope))
    case 'slice':
      return slice(scope, evaluate(node.operand, scope), node.bounds)
    case 'call':
      return apply(asFunction(evaluate(node.fn, scope)), node.args, scope)
    case 'binary':
      return operate(node, scope)
    case 'unary':
      return unary(node.operator, evaluate(node.operand, scope))
    case 'if':
      return evaluate(asBoolean(evaluate(node.test, scope)) ? node.consequent : node.alternate, scope)
    case 'local':
      return evaluate(node.body, withBinds(scope, node.binds))
    case 'function':
      return closure(node, scope)
    case 'error':
      throw errorOf(node.message, scope)
    case 'assert':
      assertTrue(node.assertion, scope)
      return evaluate(node.body, scope)
  }
}

function find(scope: Scope, name: string): Lazy {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const value = at.names.get(name)
    if (value) return value
  }
  throw new JsonnetError(`unknown variable: ${name}`)
}

function selfOf({ self, level }: Scope): { readonly self: ObjectValue; readonly level: number } {
  if (!self || level === undefined) throw new JsonnetError('self outside of an object')
  return { self, level }
}

function withBinds(outer: Scope, binds: readonly Bind[], more: Partial<Scope> = {}): Scope {
  const names = new Map<string, Lazy>()
  const scope: Scope = { ...outer, ...more, names, outer }
  for (const { name, value } of binds) {
    const bound = lazy(() => evaluate(value, scope))
    names.set(name, bound)
  }
  return scope
}

function withName(outer: Scope, name: string, value: Lazy): Scope {
  return { ...outer, names: new Map([[name, value]]), outer }
}

function scopesOf(clauses: readonly Clause[], scope: Scope): readonly Scope[] {
  let scopes: readonly Scope[] = [scope]
  for (const clause of clauses) {
    scopes = scopes.flatMap((inner) => {
      if (clause.kind === 'if') return asBoolean(evaluate(clause.test, inner)) ? [inner] : []
      const items = asList(evaluate(clause.list, inner))
      spend(scope.budget, items.length)
      return items.map((item) => withName(inner, clause.name, item))
    })
  }
  return scopes
}

/** One scope, or one per turn of a comprehension. Field names see no `self`. */
function layerOf({ fields, locals, asserts }: ObjectNode, scopes: readonly Scope[]): Layer {
  const fieldsByName = new Map<string, Field>()
  const ownScopes = new Map<Scope, WithSelf>()
  for (const scope of scopes) {
    const scopeWithSelf = insideOf(scope, locals)
    ownScopes.set(scope, scopeWithSelf)
    for (const { name, isPlus, visibility, value } of fields) {
      const key = evaluate(name, scope)
      if (key === null) continue
      if (fieldsByName.has(asString(key))) throw new JsonnetError(`duplicate field: ${asString(key)}`)
      fieldsByName.set(asString(key), {
        isPlus,
        visibility,
        value: (self, level) => evaluate(value, scopeWithSelf(self, level)),
      })
    }
  }
  const [scopeWithSelf] = ownScopes.values()
  if (asserts.length === 0 || !scopeWithSelf) return { fields: fieldsByName }
  return {
    fields: fieldsByName,
    assert(self, level) {
      for (const assertion of asserts) assertTrue(assertion, scopeWithSelf(self, level))
    },
  }
}

type WithSelf = (self: ObjectValue, level: number) => Scope

function insideOf(scope: Scope, locals: readonly Bind[]): WithSelf {
  const isOutermost = scope.self === undefined
  const scopes = new Map<ObjectValue, Map<number, Scope>>()
  return (self, level) => {
    const levels = scopes.get(self) ?? new Map<number, Scope>()
    scopes.set(self, levels)
    const earlier = levels.get(level)
    if (earlier) return earlier
    const around = isOutermost ? withName(scope, '$', () => self) : scope
    const inside = withBinds(around, locals, { self, level })
    levels.set(level, inside)
    return inside
  }
}

function assertTrue({ test, message }: Assertion, scope: Scope): void {
  if (asBoolean(evaluate(test, scope))) return
  throw message ? errorOf(message, scope) : new JsonnetError('object assertion failed')
}

function errorOf(message: Node, scope: Scope): JsonnetError {
  const text = toText(scope.budget, evaluate(message, scope))
  return new JsonnetError(text, { userText: message.kind === 'literal' ? text : undefined })
}

function index(scope: Scope, value: Value, at: Value): Value {
  if (isObject(value)) return getField(scope.budget, value, asString(at))
  if (!isList(value) && typeof value !== 'string') throw mismatch('object, array or string', value)
  spend(scope.budget, isList(value) ? 0 : value.length / 2)
  const list = itemsOf(value)
  const element = list[asNumber(at)]
  if (!element) throw new JsonnetError(`index ${asNumber(at)} out of bounds, not within [0, ${list.length})`)
  return element()
}

function slice(scope: Scope, of: Value, bounds: readonly (Node | undefined)[]): Value {
  spend(scope.budget, isList(of) || typeof of === 'string' ? of.length : 0)
  return cut(of, ...[0, 1, 2].map((one) => bounds[one] && evaluate(bounds[one], scope)))
}

function apply(callee: FunctionValue, args: readonly Argument[], scope: Scope): Value {
  const positional: Lazy[] = []
  const named = new Map<string, Lazy>()
  for (const { name, value } of args) {
    const argument = lazy(() => evaluate(value, scope))
    if (name === undefined) positional.push(argument)
    else named.set(name, argument)
  }
  return nested(scope.budget, () => callee.call({ positional, named }))
}

function closure({ params, body }: FunctionNode, outer: Scope): FunctionValue {
  const names = params.map(({ name }) => name)
  return {
    kind: 'function',
    params: names,
    call(args) {
      const argumentsByName = bindArguments(names, args)
      const scope: Scope = { ...outer, names: argumentsByName, outer }
      for (const { name, fallback } of params) {
        if (argumentsByName.has(name)) continue
        if (!fallback) throw new JsonnetError(`missing argument: ${name}`)
        const value = lazy(() => evaluate(fallback, scope))
        argumentsByName.set(name, value)
      }
      return evaluate(body, scope)
    },
  }
}

export function bindArguments(params: readonly string[], { positional, named }: Arguments) {
  if (positional.length > params.length) throw new JsonnetError('too many arguments')
  const argumentsByName = new Map(positional.map((value, at) => [params[at] ?? '', value]))
  for (const [name, value] of named) {
    if (!params.includes(name) || argumentsByName.has(name))
      throw new JsonnetError(`unexpected argument: ${name}`)
    argumentsByName.set(name, value)
  }
  return argumentsByName
}

function operate({ operator, left, right }: Extract<Node, { kind: 'binary' }>, scope: Scope): Value {
  const first = evaluate(left, scope)
  if (operator === '&&') return asBoolean(first) && asBoolean(evaluate(right, scope))
  if (operator === '||') return asBoolean(first) || asBoolean(evaluate(right, scope))
  const second = evaluate(right, scope)
  if (operator === '+') return add(scope.budget, first, second)
  if (operator === '%' && typeof first === 'string') return format(scope.budget, first, second)
  if (operator === 'in') return hasField(asObject(second), asString(first))
  return binary(scope.budget, operator, first, second)
}
