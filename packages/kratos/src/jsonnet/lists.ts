import { compare, equals, toText } from './operators.ts'
import { JsonnetError } from './tokens.ts'
import type { Budget, Builtin, Builtins, FunctionValue, Lazy, Value } from './values.ts'
import {
  asBoolean,
  asFunction,
  asList,
  asNumber,
  asString,
  builtin,
  call,
  isList,
  itemsOf,
  lazy,
  spend,
  spendOnSearch,
} from './values.ts'

const keyed = (key: Value, value: Value): Value => (key === null ? value : call(asFunction(key), value))
const test = (work: Value, value: Value): boolean => asBoolean(call(asFunction(work), value))

export const listFunctions: Builtins = {
  map: builtin('func arr', (_, work, list) =>
    itemsOf(list).map((one) => lazy(() => call(asFunction(work), one()))),
  ),
  mapWithIndex: builtin('func arr', (_, work, list) =>
    itemsOf(list).map((one, at) => lazy(() => call(asFunction(work), at, one()))),
  ),
  filter: builtin('func arr', (_, work, list) => itemsOf(list).filter((one) => test(work, one()))),
  filterMap: builtin('filter_func map_func arr', (_, keep, work, list) =>
    itemsOf(list)
      .filter((one) => test(keep, one()))
      .map((one) => lazy(() => call(asFunction(work), one()))),
  ),
  flatMap: builtin('func arr', (budget, work, list) => flatMap(budget, asFunction(work), list)),
  flattenArrays: builtin('arrs', (budget, lists) =>
    itemsOf(lists).flatMap((one) => paid(budget, asList(one()))),
  ),
  foldl: builtin('func arr init', (_, work, list, init) =>
    itemsOf(list).reduce((so, one) => call(asFunction(work), so, one()), init),
  ),
  foldr: builtin('func arr init', (_, work, list, init) =>
    itemsOf(list).reduceRight((so, one) => call(asFunction(work), one(), so), init),
  ),
  range: builtin('from to', (budget, from, to) => {
    const first = asNumber(from)
    return listOf(budget, asNumber(to) - first + 1, (at) => first + at)
  }),
  makeArray: builtin('sz func', (budget, size, work) =>
    listOf(budget, asNumber(size), (at) => call(asFunction(work), at)),
  ),
  repeat: builtin('what count', (budget, what, count) => {
    spend(budget, (itemsOf(what).length * asNumber(count)) / (typeof what === 'string' ? 2 : 1))
    if (typeof what === 'string') return what.repeat(asNumber(count))
    return Array.from({ length: asNumber(count) }, () => asList(what)).flat()
  }),
  join: builtin('sep arr', (budget, separator, list) => join(budget, separator, asList(list))),
  deepJoin: builtin('arr', (budget, list) => deepJoin(budget, list)),
  lines: builtin('arr', (budget, list) => {
    const lines = asList(list).map((one) => `${toText(budget, one())}\n`)
    return glue(budget, lines)
  }),
  reverse: builtin('arr', (_, list) => itemsOf(list).toReversed()),
  member: builtin('arr x', (budget, list, x) => {
    if (typeof list !== 'string') return asList(list).some((one) => equals(budget, one(), x))
    spendOnSearch(budget, list, asString(x))
    return list.includes(asString(x))
  }),
  contains: builtin('arr elem', (budget, list, x) => asList(list).some((one) => equals(budget, one(), x))),
  count: builtin('arr x', (budget, list, x) => asList(list).filter((one) => equals(budget, one(), x)).length),
  find: builtin('value arr', (budget, x, list) =>
    asList(list).flatMap((one, at): Lazy[] => (equals(budget, one(), x) ? [() => at] : [])),
  ),
  findSubstr: builtin('pat str', (budget, pattern, text) => {
    spendOnSearch(budget, asString(text), asString(pattern))
    return [...asString(text)].flatMap((_char, at): Lazy[] =>
      asString(pattern) !== '' && asString(text).startsWith(asString(pattern), at) ? [() => at] : [],
    )
  }),
  all: builtin('arr', (_, list) => asList(list).every((one) => asBoolean(one()))),
  any: builtin('arr', (_, list) => asList(list).some((one) => asBoolean(one()))),
  sum: builtin('arr', (_, list) => asList(list).reduce((sum, one) => sum + asNumber(one()), 0)),
  remove: builtin('arr elem', (budget, list, x) =>
    removeAt(
      list,
      asList(list).findIndex((one) => equals(budget, one(), x)),
    ),
  ),
  removeAt: builtin('arr at', (_, list, at) => removeAt(list, asNumber(at))),
  slice: builtin('indexable index end step', (_, list, from, to, step) => cut(list, from, to, step)),
  sort: builtin('arr keyF=', (budget, list, key) => sorted(budget, list, key)),
  uniq: builtin('arr keyF=', (budget, list, key) => uniq(budget, asList(list), key)),
  set: builtin('arr keyF=', (budget, list, key) => uniq(budget, sorted(budget, list, key), key)),
  setMember: builtin('x arr keyF=', (budget, x, list, key) => includes(budget, asList(list), x, key)),
  setUnion: builtin('a b keyF=', (budget, a, b, key) =>
    uniq(budget, sorted(budget, [...asList(a), ...asList(b)], key), key),
  ),
  setInter: setOperation(true),
  setDiff: setOperation(false),
  minArray: builtin('arr keyF=', (budget, list, key) => firstOf(sorted(budget, list, key))),
  maxArray: builtin('arr keyF=', (budget, list, key) => firstOf(sorted(budget, list, key).toReversed())),
}

function listOf(budget: Budget, size: number, work: (at: number) => Value): Value {
  spend(budget, Math.max(0, size))
  return Array.from({ length: Math.max(0, size) }, (_, at) => lazy(() => work(at)))
}

function flatMap(budget: Budget, work: FunctionValue, list: Value): Value {
  const results = itemsOf(list).map((one) => call(work, one()))
  if (typeof list === 'string') {
    const texts = results.map((one) => toText(budget, one))
    return glue(budget, texts)
  }
  return results.flatMap((one) => (one === null ? [] : paid(budget, asList(one))))
}

/** Copying a list costs its length. */
function paid(budget: Budget, list: readonly Lazy[]): readonly Lazy[] {
  spend(budget, list.length)
  return list
}

/** Paid before it is built. */
function glue(budget: Budget, parts: readonly string[], separator = ''): string {
  for (const { length } of parts) spend(budget, (length + separator.length) / 2)
  return parts.join(separator)
}

function join(budget: Budget, separator: Value, list: readonly Lazy[]): Value {
  const parts = list.map((one) => one()).filter((one) => one !== null)
  if (typeof separator === 'string') return glue(budget, parts.map(asString), separator)
  const between = asList(separator)
  return parts.flatMap((one, at) => [
    ...(at === 0 ? [] : paid(budget, between)),
    ...paid(budget, asList(one)),
  ])
}

function deepJoin(budget: Budget, list: Value): string {
  if (!isList(list)) return asString(list)
  const parts = list.map((one) => deepJoin(budget, one()))
  return glue(budget, parts)
}

function removeAt(list: Value, at: number): Value {
  return asList(list).filter((_, other) => other !== at)
}

/** `list[from:to:step]`. */
export function cut(list: Value, ...[from, to, step]: readonly (Value | undefined)[]): Value {
  const every = asNumber(step ?? 1)
  if (every < 1) throw new JsonnetError('a slice needs a positive step')
  const items = itemsOf(list)
    .slice(asNumber(from ?? 0), to === null || to === undefined ? undefined : asNumber(to))
    .filter((_, at) => at % every === 0)
  return typeof list === 'string' ? items.map((one) => asString(one())).join('') : items
}

function sorted(budget: Budget, list: Value, key: Value): readonly Lazy[] {
  const pairs = itemsOf(list).map((one) => ({ one, by: keyed(key, one()) }))
  return pairs.sort((left, right) => compare(budget, left.by, right.by)).map(({ one }) => one)
}

function uniq(budget: Budget, list: readonly Lazy[], key: Value): readonly Lazy[] {
  return list.filter((one, at) => {
    const before = list[at - 1]
    return !before || !equals(budget, keyed(key, before()), keyed(key, one()))
  })
}

function includes(budget: Budget, list: readonly Lazy[], x: Value, key: Value): boolean {
  return list.some((one) => equals(budget, keyed(key, one()), keyed(key, x)))
}

function setOperation(keeps: boolean): Builtin {
  return builtin('a b keyF=', (budget, a, b, key = null) =>
    asList(a).filter((one) => includes(budget, asList(b), one(), key) === keeps),
  )
}

function firstOf(list: readonly Lazy[]): Value {
  const [first] = list
  if (!first) throw new JsonnetError('an empty array has no least or greatest element')
  return first()
}
