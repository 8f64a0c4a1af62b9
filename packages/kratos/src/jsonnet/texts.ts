import { createHash } from 'node:crypto'
import { format } from './format.ts'
import { toJson, toText } from './operators.ts'
import { JsonnetError } from './tokens.ts'
import type { Budget, Builtin, Builtins, Value } from './values.ts'
import { asList, asNumber, asString, builtin, fromJson, spend, spendOnSearch } from './values.ts'

const json = (budget: Budget, value: Value, indent = 0) =>
  JSON.stringify(toJson(budget, value, indent), undefined, indent)
const hash = (algorithm: string): Builtin =>
  builtin('s', (_, s) => createHash(algorithm).update(asString(s)).digest('hex'))
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
  asciiUpper: builtin('str', (_, s) => asString(s).replaceAll(/[a-z]+/g, (part) => part.toUpperCase())),
  asciiLower: builtin('str', (_, s) => asString(s).replaceAll(/[A-Z]+/g, (part) => part.toLowerCase())),
  startsWith: builtin('a b', (_, a, b) => asString(a).startsWith(asString(b))),
  endsWith: builtin('a b', (_, a, b) => asString(a).endsWith(asString(b))),
  substr: builtin('str from len', (_, s, from, len) =>
    [...asString(s)].slice(asNumber(from), asNumber(from) + asNumber(len)).join(''),
  ),
  split: builtin('str c', (budget, s, c) => texts(split(budget, asString(s), asString(c)))),
  splitLimit: builtin('str c maxsplits', (budget, s, c, most) =>
    texts(splitFirst(budget, asString(s), asString(c), asNumber(most))),
  ),
  strReplace: builtin('str from to', (budget, s, from, to) => {
    const parts = split(budget, asString(s), asString(from))
    spend(budget, (parts.length * asString(to).length) / 2)
    return parts.join(asString(to))
  }),
  stripChars: builtin('str chars', (_, s, chars) => stripped(asString(s), asString(chars), 'both')),
  lstripChars: builtin('str chars', (_, s, chars) => stripped(asString(s), asString(chars), 'left')),
  rstripChars: builtin('str chars', (_, s, chars) => stripped(asString(s), asString(chars), 'right')),
  trim: builtin('str', (_, s) => stripped(asString(s), ' \t\n\f\r\u0085\u00a0', 'both')),
  isEmpty: builtin('str', (_, s) => asString(s) === ''),
  equalsIgnoreCase: builtin(
    'str1 str2',
    (_, a, b) => asString(a).toLowerCase() === asString(b).toLowerCase(),
  ),
  stringChars: builtin('str', (_, s) => texts([...asString(s)])),
  codepoint: builtin('str', (_, s) => asString(s).codePointAt(0) ?? 0),
  char: builtin('n', (_, n) => charOf(asNumber(n))),
  format: builtin('str vals', (budget, s, values) => format(budget, asString(s), values)),
  parseInt: builtin('str', (_, s) => parseNumber(asString(s), /^-?\d+$/, 10)),
  parseOctal: builtin('str', (_, s) => parseNumber(asString(s), /^[0-7]+$/, 8)),
  parseHex: builtin('str', (_, s) => parseNumber(asString(s), /^[\da-fA-F]+$/, 16)),
  parseJson: builtin('str', (budget, s) => {
    try {
      return fromJson(budget, JSON.parse(asString(s)))
    } catch {
      throw new JsonnetError('std.parseJson: the text is not JSON')
    }
  }),
  splitLimitR: builtin('str c maxsplits', (budget, s, c, most) => {
    const parts = split(budget, asString(s), asString(c))
    const rest = asNumber(most) < 0 ? 0 : Math.max(0, parts.length - 1 - asNumber(most))
    return texts([parts.slice(0, rest + 1).join(asString(c)), ...parts.slice(rest + 1)])
  }),
  manifestJson: builtin('value', (budget, value) => json(budget, value, 4)),
  manifestJsonMinified: builtin('value', (budget, value) => json(budget, value)),
  escapeStringJson: builtin('str', (budget, s) => JSON.stringify(toText(budget, s))),
  base64: builtin('input', (_, input) => bytesOf(input).toString('base64')),
  base64Decode: builtin('str', (_, s) => Buffer.from(asString(s), 'base64').toString('latin1')),
  base64DecodeBytes: builtin('str', (_, s) =>
    [...Buffer.from(asString(s), 'base64')].map((byte) => () => byte),
  ),
  encodeUTF8: builtin('str', (_, s) => [...Buffer.from(asString(s))].map((byte) => () => byte)),
  decodeUTF8: builtin('arr', (_, bytes) => bytesOf(bytes).toString()),
  md5: hash('md5'),
  sha1: hash('sha1'),
  sha256: hash('sha256'),
  sha512: hash('sha512'),
}

function charOf(codePoint: number): string {
  if (codePoint >= 0 && codePoint <= 0x10ffff) return String.fromCodePoint(Math.trunc(codePoint))
  throw new JsonnetError(`std.char: ${codePoint} is not a code point`)
}
