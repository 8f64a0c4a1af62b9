import { TemplateError } from './tokens.ts'

export type Value = unknown

/** A piped argument comes last, as in Go. */
export type TemplateFunction = (...values: readonly Value[]) => Value

/** As in Go's `if`. */
export function isTrue(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value)
}

/** Like Go's `fmt`. */
export function print(value: Value): string {
  if (value === undefined || value === null) return '<no value>'
  if (typeof value !== 'object') return String(value)
  const printed = Array.isArray(value) ? value.map(print) : printMembers(value)
  // A list that repeats a list doubles at each level.
  assertFits(printed.reduce((sum, { length }) => sum + length, 0))
  return `${Array.isArray(value) ? '' : 'map'}[${printed.join(' ')}]`
}

function printMembers(value: object): string[] {
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return members.map(([name, member]) => `${name}:${print(member)}`)
}

const text = (value: Value): string => (value === undefined || value === null ? '' : print(value))
const number = (value: Value): number => (Number.isFinite(Number(value)) ? Math.trunc(Number(value)) : 0)
const list = (value: Value): readonly Value[] => (Array.isArray(value) ? value : [])

/** Go's `len` counts bytes. */
function length(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

function member(value: Value, name: Value): Value {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, String(name)) ? (value as Record<string, Value>)[String(name)] : undefined
}

function format(pattern: Value, ...values: readonly Value[]): string {
  let next = 0
  return text(pattern).replace(
    /%(%|[-+#0]*(?:[1-9]\d*)?(?:\.\d+)?([sdvqtf]))/g,
    (whole, sign: string, verb?: string) => {
      if (sign === '%') return '%'
      const value = values[next++]
      if (verb === 'q') return JSON.stringify(text(value))
      if (verb === 'f') return Number(value).toFixed(Number(/\.(\d+)/.exec(whole)?.[1] ?? 6))
      return verb === 'd' ? String(number(value)) : print(value)
    },
  )
}

function capitalised(value: string): string {
  return value.replace(
    /(^|\s)(\S)/gu,
    (_whole, space: string, letter: string) => space + letter.toUpperCase(),
  )
}

function trimmedOf(characters: string, value: string): string {
  const removed = new Set(characters)
  const letters = [...value]
  const first = letters.findIndex((letter) => !removed.has(letter))
  const last = letters.findLastIndex((letter) => !removed.has(letter))
  return letters.slice(Math.max(0, first), last + 1).join('')
}

const LONGEST_REPEAT = 10_000
const LONGEST_RESULT = 512 * 1024
const MOST_COMPARISONS = 20_000_000

function repeated(count: number, value: string): string {
  const times = Math.max(0, Math.min(count, LONGEST_REPEAT))
  assertFits(times * value.length)
  return value.repeat(times)
}

function replaced(old: string, fresh: string, value: string): string {
  assertFits(split(old, value).length * fresh.length)
  return value.replaceAll(old, () => fresh)
}

function split(between: string, value: string): string[] {
  assertSearchable(between, value)
  return value.split(between)
}

function joinTexts(between: string, values: readonly Value[]): string {
  assertFits(values.length * between.length)
  return values.map(text).join(between)
}

/** A search compares up to each character of one with each of the other. */
function assertSearchable(part: string, value: string): void {
  if (part.length * value.length > MOST_COMPARISONS) throw new TemplateError('the search takes too long', 0)
}

/** Before memory is taken. */
function assertFits(length: number): void {
  if (length > LONGEST_RESULT) throw new TemplateError('the result is too long', 0)
}

function compare(one: Value, other: Value): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  const [left, right] = [text(one), text(other)]
  return left === right ? 0 : left < right ? -1 : 1
}

const GO: Readonly<Record<string, TemplateFunction>> = {
  and: (...values) => values.find((value) => !isTrue(value)) ?? values.at(-1),
  or: (...values) => values.find(isTrue) ?? values.at(-1),
  not: (value) => !isTrue(value),
  eq: (one, ...others) => others.some((other) => one === other),
  ne: (one, other) => one !== other,
  lt: (one, other) => compare(one, other) < 0,
  le: (one, other) => compare(one, other) <= 0,
  gt: (one, other) => compare(one, other) > 0,
  ge: (one, other) => compare(one, other) >= 0,
  len: length,
  index: (value, ...names) => names.reduce(member, value),
  print: (...values) => values.map(print).join(''),
  println: (...values) => `${values.map(print).join(' ')}\n`,
  printf: format,
  html: (...values) => escapeHtml(values.map(text).join('')),
  urlquery: (...values) => encodeURIComponent(values.map(text).join('').toWellFormed()),
}

const SPRIG: Readonly<Record<string, TemplateFunction>> = {
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  empty: (value) => !isTrue(value),
  coalesce: (...values) => values.find(isTrue),
  ternary: (yes, no, condition) => (isTrue(condition) ? yes : no),
  upper: (value) => text(value).toUpperCase(),
  lower: (value) => text(value).toLowerCase(),
  title: (value) => capitalised(text(value)),
  trim: (value) => text(value).trim(),
  trimAll: (characters, value) => trimmedOf(text(characters), text(value)),
  trimPrefix: (prefix, value) =>
    text(value).startsWith(text(prefix)) ? text(value).slice(text(prefix).length) : value,
  trimSuffix: (suffix, value) =>
    text(suffix) !== '' && text(value).endsWith(text(suffix))
      ? text(value).slice(0, -text(suffix).length)
      : value,
  nospace: (value) => text(value).replace(/\s+/g, ''),
  repeat: (count, value) => repeated(number(count), text(value)),
  substr: (from, to, value) =>
    text(value).slice(Math.max(0, number(from)), number(to) < 0 ? undefined : number(to)),
  trunc: (count, value) =>
    number(count) < 0 ? text(value).slice(number(count)) : text(value).slice(0, number(count)),
  replace: (old, fresh, value) => replaced(text(old), text(fresh), text(value)),
  contains: (part, value) => {
    assertSearchable(text(part), text(value))
    return text(value).includes(text(part))
  },
  hasPrefix: (part, value) => text(value).startsWith(text(part)),
  hasSuffix: (part, value) => text(value).endsWith(text(part)),
  quote: (...values) => values.map((value) => JSON.stringify(text(value))).join(' '),
  squote: (...values) => values.map((value) => `'${text(value)}'`).join(' '),
  cat: (...values) => values.map(print).join(' '),
  join: (between, values) => joinTexts(text(between), list(values)),
  splitList: (between, value) => split(text(between), text(value)),
  toString: text,
  first: (values) => list(values)[0],
  last: (values) => list(values).at(-1),
  list: (...values) => values,
  dict: (...values) =>
    Object.fromEntries(values.flatMap((value, at) => (at % 2 === 0 ? [[text(value), values[at + 1]]] : []))),
  get: member,
  hasKey: (value, name) => typeof value === 'object' && value !== null && Object.hasOwn(value, text(name)),
  int: number,
  add: (...values) => values.map(number).reduce((sum, value) => sum + value, 0),
  sub: (one, other) => number(one) - number(other),
  mul: (...values) => values.map(number).reduce((product, value) => product * value, 1),
  div: (one, other) => (number(other) === 0 ? 0 : Math.trunc(number(one) / number(other))),
  mod: (one, other) => (number(other) === 0 ? 0 : number(one) % number(other)),
}

/** Go's, and sprig's without side effects or the clock. */
export const functions: ReadonlyMap<string, TemplateFunction> = new Map(Object.entries({ ...GO, ...SPRIG }))

/** For text and quoted attributes. */
export function escapeHtml(value: string): string {
  return value.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}
