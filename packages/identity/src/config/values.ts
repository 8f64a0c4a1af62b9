import { z } from 'zod'

/** Settings with a default each. Unknown keys are errors. */
export function section<Shape extends z.core.$ZodShape>(shape: Shape) {
  return z.strictObject(shape).prefault({} as never)
}

/** Milliseconds, written as in Ory Kratos' configuration (`1h30m`), without fractions and days. */
export const duration = spelledAs(/(\d+)(ns|us|ms|s|m|h)/g)

/** As in Go and the admin API, with fractions: `1.5h`. */
export const goDuration = spelledAs(/(\d+(?:\.\d+)?)(ns|us|ms|s|m|h)/g)

function spelledAs(part: RegExp) {
  return z.string().transform((text, issues) => {
    const parts = [...text.matchAll(part)]
    if (parts.length > 0 && parts.map(([part]) => part).join('') === text) {
      return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (MILLISECONDS[unit ?? ''] ?? 0), 0)
    }
    issues.addIssue(`expected a duration such as 10m, 1h30m or 500ms, got ${JSON.stringify(text)}`)
    return z.NEVER
  })
}

/** `64MB`, in binary units. */
export const byteSize = z.string().transform((text, issues) => {
  const match = /^(\d+)(B|KB|MB|GB|TB|PB|EB)$/.exec(text)
  if (match) return Number(match[1]) * 1024 ** SIZES.indexOf(match[2] ?? '')
  issues.addIssue(`expected a size such as 512KB or 19MB, got ${JSON.stringify(text)}`)
  return z.NEVER
})

/** A text that YAML may have turned into a boolean. */
export const booleanText = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: 'expected true or false' })
  .transform((value) => value === true || value === 'true')

export const absoluteUrl = z.string().refine(isAbsoluteUrl, {
  error: 'expected an absolute URL such as https://app.example/, without a user name and password',
})

/** `fetch` refuses credentials in a URL with an error that quotes them (SEC-89). */
function isAbsoluteUrl(text: string): boolean {
  if (!URL.canParse(text) || !/^https?:/.test(text)) return false
  const { username, password } = new URL(text)
  return username + password === ''
}

/** An absolute URL, or a path on the service's host. */
export const reference = z.string().refine((text) => URL.canParse(text, 'https://localhost'), {
  error: 'expected a URL such as https://app.example/login',
})

/** Apps have origins of other forms, such as `android:apk-key-hash:…`. */
export const origin = z
  .string()
  .refine((text) => !isWebUrl(text) || (URL.canParse(text) && /^[^/]*\/\/[^/?#]*$/.test(text)), {
    error: 'expected an origin such as https://app.example, without a path',
  })
  // Browsers send small letters, punycode and no default port.
  .transform((text) => (isWebUrl(text) ? new URL(text).origin : text))

function isWebUrl(text: string): boolean {
  return /^https?:/i.test(text)
}

export const port = z.int().min(0).max(65_535)

export const sameSite = z.enum(['Strict', 'Lax', 'None'])

/**
 * One wildcard in a label (`https://*.app.example`), not in the last two, which could cover a
 * registry.
 */
export function isOriginPattern(entry: string): boolean {
  const [, host] = /^https?:\/\/([^/\s]+)\/?$/i.exec(entry) ?? []
  if (host === undefined) return false
  if (!host.includes('*')) return URL.canParse(entry)
  return /^[a-z0-9-]*\*[a-z0-9-]*(\.[\p{L}\p{M}\p{N}-]+){2,}(:\d+)?$/iu.test(host)
}

/** Invalid entries match nothing. */
export function originMatcher(entries: readonly string[]): (origin: string) => boolean {
  const validEntries = entries.filter(isOriginPattern)
  const exact = new Set(
    validEntries.filter((entry) => !entry.includes('*')).map((entry) => new URL(entry).origin),
  )
  const patterns = validEntries.filter((entry) => entry.includes('*')).flatMap(toExpression)
  return (origin) => exact.has(origin) || patterns.some((pattern) => pattern.test(origin))
}

const ANY_LABEL = 'any-label'

function toExpression(entry: string): RegExp[] {
  const example = URL.parse(entry.replace('*', ANY_LABEL))
  if (!example) return []
  const escaped = example.origin.replaceAll('.', '\\.')
  return [new RegExp(`^${escaped.replace(ANY_LABEL, '[a-z0-9-]+')}$`)]
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}
const SIZES = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB']
