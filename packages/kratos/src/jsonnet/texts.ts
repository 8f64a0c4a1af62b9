import { createHash } from 'node:crypto'
import { format } from './format.ts'
import { toJson, toText } from './operators.ts'
import { JsonnetError } from './tokens.ts'
import type { Budget, Builtin, Builtins, Value } from './values.ts'
import { asList, asNumber, asString, fromJson, spend, spendOnSearch } from './values.ts'

const json = (budget: Budget, value: Value, indent = 0) =>
  JSON.stringify(toJson(budget, value, indent), undefined, indent)
const hash = (algorithm: string): Builtin => [
  's',
  (_, s) => createHash(algorithm).update(asString(s)).digest('hex'),
]
const stripped = (text: string, chars: string, ends: 'left' | 'right' | 'both') => {
  const points = [...text]
  const removed = new Set(chars)
  let [from, to] = [0, points.length]
  while (ends !== 'right' && from < to && removed.has(points[from] ?? '')) from += 1
  while (ends !== 'left' && to > from && removed.has(points[to - 1] ?? '')) to -= 1
  return points.slice(from, to).join('')
}
const texts = (items: readonly string[]): Value => items.map((one) => () => one)
const bytesOf = (value: Value): Buffer =>
  typeof value === 'string' ? Buffer.from(value) : Buffer.from(asList(value).map((one) => asNumber(one())))
const split = (budget: Budget, text: string, by: string): string[] => {
  spendOnSearch(budget, text, by)
  return text.split(by)
}
const splitFirst = (budget: Budget, text: string, by: string, most: number): string[] => {
  const parts = split(budget, text, by)
  if (most < 0 || parts.length <= most + 1) return parts
  return [...parts.slice(0, most), parts.slice(most).join(by)]
}
const parseNumber = (text: string, pattern: RegExp, base: number): number => {
  if (!pattern.test(text)) throw new JsonnetError(`${JSON.stringify(text)} is not a number of base ${base}`)
  return Number.parseInt(text, base)
}

export const textFunctions: Builtins = {
  asciiUpper: ['str', (_, s) => asString(s).replaceAll(/[a-z]+/g, (part) => part.toUpperCase())],
  asciiLower: ['str', (_, s) => asString(s).replaceAll(/[A-Z]+/g, (part) => part.toLowerCase())],
  startsWith: ['a b', (_, a, b) => asString(a).startsWith(asString(b))],
  endsWith: ['a b', (_, a, b) => asString(a).endsWith(asString(b))],
  substr: [
    'str from len',
    (_, s, from, len) => [...asString(s)].slice(asNumber(from), asNumber(from) + asNumber(len)).join(''),
  ],
  split: ['str c', (budget, s, c) => texts(split(budget, asString(s), asString(c)))],
  splitLimit: [
    'str c maxsplits',
    (budget, s, c, most) => texts(splitFirst(budget, asString(s), asString(c), asNumber(most))),
  ],
  strReplace: [
    'str from to',
    (budget, s, from, to) => {
      const parts = split(budget, asString(s), asString(from))
      spend(budget, (parts.length * asString(to).length) / 2)
      return parts.join(asString(to))
    },
  ],
  stripChars: ['str chars', (_, s, chars) => stripped(asString(s), asString(chars), 'both')],
  lstripChars: ['str chars', (_, s, chars) => stripped(asString(s), asString(chars), 'left')],
  rstripChars: ['str chars', (_, s, chars) => stripped(asString(s), asString(chars), 'right')],
  trim: ['str', (_, s) => stripped(asString(s), ' \t\n\f\r\u0085\u00a0', 'both')],
  isEmpty: ['str', (_, s) => asString(s) === ''],
  equalsIgnoreCase: ['str1 str2', (_, a, b) => asString(a).toLowerCase() === asString(b).toLowerCase()],
  stringChars: ['str', (_, s) => texts([...asString(s)])],
  codepoint: ['str', (_, s) => asString(s).codePointAt(0) ?? 0],
  char: ['n', (_, n) => charOf(asNumber(n))],
  format: ['str vals', (budget, s, values) => format(budget, asString(s), values)],
  parseInt: ['str', (_, s) => parseNumber(asString(s), /^-?\d+$/, 10)],
  parseOctal: ['str', (_, s) => parseNumber(asString(s), /^[0-7]+$/, 8)],
  parseHex: ['str', (_, s) => parseNumber(asString(s), /^[\da-fA-F]+$/, 16)],
  parseJson: [
    'str',
    (budget, s) => {
      try {
        return fromJson(budget, JSON.parse(asString(s)))
      } catch {
        throw new JsonnetError('std.parseJson: the text is not JSON')
      }
    },
  ],
  splitLimitR: [
    'str c maxsplits',
    (budget, s, c, most) => {
      const parts = split(budget, asString(s), asString(c))
      const rest = asNumber(most) < 0 ? 0 : Math.max(0, parts.length - 1 - asNumber(most))
      return texts([parts.slice(0, rest + 1).join(asString(c)), ...parts.slice(rest + 1)])
    },
  ],
  manifestJson: ['value', (budget, value) => json(budget, value, 4)],
  manifestJsonMinified: ['value', (budget, value) => json(budget, value)],
  escapeStringJson: ['str', (budget, s) => JSON.stringify(toText(budget, s))],
  base64: ['input', (_, input) => bytesOf(input).toString('base64')],
  base64Decode: ['str', (_, s) => Buffer.from(asString(s), 'base64').toString('latin1')],
  base64DecodeBytes: ['str', (_, s) => [...Buffer.from(asString(s), 'base64')].map((byte) => () => byte)],
  encodeUTF8: ['str', (_, s) => [...Buffer.from(asString(s))].map((byte) => () => byte)],
  decodeUTF8: ['arr', (_, bytes) => bytesOf(bytes).toString()],
  md5: hash('md5'),
  sha1: hash('sha1'),
  sha256: hash('sha256'),
  sha512: hash('sha512'),
}

function charOf(codePoint: number): string {
  if (codePoint >= 0 && codePoint <= 0x10ffff) return String.fromCodePoint(Math.trunc(codePoint))
  throw new JsonnetError(`std.char: ${codePoint} is not a code point`)
}
