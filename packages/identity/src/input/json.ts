export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}

/** Ignores what follows the first value, as Go's decoder does. Throws `SyntaxError`. */
export function parseFirstValue(text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    const end = /after JSON at position (\d+)/.exec(String(error))?.[1]
    if (end === undefined) throw error
    return parse(text.slice(0, Number(end)))
  }
}

/** Half of a surrogate pair becomes U+FFFD, as in Go. It is not a character, and UTF-8 has no bytes for it. */
function parse(text: string): unknown {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value))
}

/** The value at a path such as `elements.0.name`. */
export function valueAt(document: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((node, step) => {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, step)) return undefined
    return (node as Readonly<Record<string, unknown>>)[step]
  }, document)
}

/** Merges at every depth. Lists are replaced. `undefined` replaces nothing. */
export function merge<T extends object>(defaults: T, overrides: object): T {
  const mergedEntries = Object.entries(withoutUndefined(overrides)).map(([name, value]) => {
    const present: unknown = Object.hasOwn(defaults, name) ? defaults[name as keyof T] : undefined
    return [name, isObject(present) && isObject(value) ? merge(present, value) : value]
  })
  return { ...defaults, ...Object.fromEntries(mergedEntries) }
}

/** Recursive code, ours and the libraries', runs out of stack on deeper values. */
interface Shape {
  readonly depth: number
  readonly values: number
}

/**
 * Counts punctuation without parsing, which takes a second for 5 MB of brackets (SEC-64). An empty
 * list is a value.
 */
export function brokenBound(text: string, { depth, values }: Shape): keyof Shape | undefined {
  let level = 0
  let seen = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfText(text, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        level += 1
        seen += 1
        break
      case 0x5d: // ]
      case 0x7d: // }
        level -= 1
        break
      case 0x2c: // ,
        seen += 1
    }
    if (level > depth) return 'depth'
    if (seen > values) return 'values'
  }
  return undefined
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

function endOfText(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}
