import { getField, toText } from './operators.ts'
import { JsonnetError } from './tokens.ts'
import { asNumber, type Budget, isList, isObject, spend, type Value } from './values.ts'

const DIRECTIVE = /%(?:\(([^()]*)\))?([#0\- +]*)(\*|\d+)?(?:\.(\*|\d+))?[hlL]?([\s\S])/g

/** Python's `%`, as in Jsonnet's standard library. */
export function format(budget: Budget, template: string, value: Value): string {
  spend(budget, template.length / 2)
  const values = isList(value) ? value.map((one) => one()) : [value]
  let usedCount = 0
  const next = (): Value => {
    if (usedCount >= values.length) throw new JsonnetError('not enough values to format')
    usedCount += 1
    return values[usedCount - 1] as Value
  }
  const size = (digits: string | undefined) => Math.max(0, digits === '*' ? asNumber(next()) : Number(digits))
  const text = template.replaceAll(DIRECTIVE, (_, key, flags: string, wide, exact, kind: string) => {
    const width = wide === undefined ? 0 : size(wide)
    const precision = exact === undefined ? undefined : size(exact)
    if (kind === '%') return '%'
    const argument = key !== undefined && isObject(value) ? getField(budget, value, key) : next()
    spend(budget, (width + (precision ?? 0)) / 2 + 1)
    const converted = convert(budget, { kind, flags, precision }, argument)
    spend(budget, converted.length / 2)
    return pad(converted, width, flags)
  })
  if (!isObject(value) && usedCount < values.length) throw new JsonnetError('too many values to format')
  return text
}

function convert(
  budget: Budget,
  { kind, flags, precision }: { kind: string; flags: string; precision: number | undefined },
  value: Value,
): string {
  switch (kind) {
    case 's':
      return toText(budget, value).slice(0, precision)
    case 'c':
      return typeof value === 'number' ? String.fromCodePoint(value) : toText(budget, value)
    case 'd':
    case 'i':
    case 'u':
      return signed(asNumber(value), flags, (size) => String(Math.trunc(size)).padStart(precision ?? 0, '0'))
    case 'x':
    case 'X':
    case 'o':
      return signed(asNumber(value), flags, (size) => inBase(size, kind, flags).padStart(precision ?? 0, '0'))
    case 'f':
    case 'F':
      return signed(asNumber(value), flags, (size) => size.toFixed(Math.min(precision ?? 6, 100)))
    case 'e':
    case 'E':
      return signed(asNumber(value), flags, (size) => exponent(size, precision ?? 6, kind))
    case 'g':
    case 'G':
      return signed(asNumber(value), flags, (size) => String(Number(size.toPrecision(precision || 6))))
    default:
      throw new JsonnetError(`unknown format %${kind}`)
  }
}

function signed(value: number, flags: string, digits: (size: number) => string): string {
  const sign = value < 0 ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  return sign + digits(Math.abs(value))
}

function inBase(size: number, kind: string, flags: string): string {
  const isOctal = kind === 'o'
  const digits = Math.trunc(size).toString(isOctal ? 8 : 16)
  const text = flags.includes('#') ? `${isOctal ? '0' : '0x'}${digits}` : digits
  return kind === 'X' ? text.toUpperCase() : text
}

function exponent(size: number, precision: number, kind: string): string {
  const text = size.toExponential(Math.min(precision, 100)).replace(/e([+-])(\d)$/, 'e$10$2')
  return kind === 'E' ? text.toUpperCase() : text
}

function pad(text: string, width: number, flags: string): string {
  if (flags.includes('-')) return text.padEnd(width)
  if (!flags.includes('0')) return text.padStart(width)
  const sign = /^[+\- ]/.exec(text)?.[0] ?? ''
  return sign + text.slice(sign.length).padStart(width - sign.length, '0')
}
