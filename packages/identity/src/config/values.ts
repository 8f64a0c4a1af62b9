import { z } from 'zod'

/** A duration as Ory Kratos' configuration has it (`1h30m`, `500ms`; integers, no days), in milliseconds. */
export const duration = spelledAs(/(\d+)(ns|us|ms|s|m|h)/g)

/** A duration as Go and the admin API have it, with fractions (`1.5h`). */
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

/** `64MB`, in bytes; units are binary. */
export const byteSize = z.string().transform((text, issues) => {
  const match = /^(\d+)(B|KB|MB|GB|TB|PB|EB)$/.exec(text)
  if (match) return Number(match[1]) * 1024 ** SIZES.indexOf(match[2] ?? '')
  issues.addIssue(`expected a size such as 512KB or 19MB, got ${JSON.stringify(text)}`)
  return z.NEVER
})

/** Ory Kratos' schema has this one as text; a YAML boolean is accepted too. */
export const booleanText = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: 'expected true or false' })
  .transform((value) => value === true || value === 'true')

export const absoluteUrl = z.string().refine((text) => URL.canParse(text) && /^https?:/.test(text), {
  error: 'expected an absolute URL such as https://my-app.example/',
})

/** An absolute URL, or a path on the service's own host. */
export const reference = z.string().refine((text) => URL.canParse(text, 'https://localhost'), {
  error: 'expected a URL such as https://my-app.example/login',
})

/** An origin as browsers report it to an authenticator; apps have other forms (`android:apk-key-hash:…`). */
export const origin = z
  .string()
  .refine((text) => !/^https?:/.test(text) || (URL.canParse(text) && new URL(text).origin === text), {
    error: 'expected an origin such as https://my-app.example, without a path',
  })

export const port = z.int().min(0).max(65_535)

export const sameSite = z.enum(['Strict', 'Lax', 'None'])

const MILLISECONDS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}
const SIZES = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB']
