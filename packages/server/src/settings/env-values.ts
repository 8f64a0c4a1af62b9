import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { jsonOrText } from '@ostiary/identity/serving'
import { hasNoCredentials, NO_CREDENTIALS } from '@ostiary/identity-server/process'
import { z } from 'zod'

export function port() {
  return z.coerce
    .number({ error: 'must be a number from 1 to 65535' })
    .int({ error: 'must be a whole number' })
    .min(1, { error: 'must be a number from 1 to 65535' })
    .max(65_535, { error: 'must be a number from 1 to 65535' })
}

export function count() {
  return z.coerce.number({ error: 'must be a number' }).int().min(1, { error: 'must be at least 1' })
}

export function milliseconds() {
  return z.coerce
    .number({ error: 'must be a number of milliseconds' })
    .int()
    .min(0, { error: 'must not be negative' })
    .max(600_000, { error: 'must be at most 600000, which is ten minutes' })
}

export function period() {
  return (
    z
      .string()
      .regex(/^([1-9]\d{0,4}[mhd]|off)$/, { error: 'must be a time such as 30m, 8h or 7d, or off' })
      // The identity service knows no days, as in Ory Kratos.
      .transform((value) =>
        value === 'off' ? undefined : value.replace(/(\d+)d/, (_, days) => `${days * 24}h`),
      )
  )
}

export function jsonObject() {
  return z.string().transform((text, context) => {
    const parsed = z.record(z.string(), z.unknown()).safeParse(jsonOrText(text))
    if (parsed.success) return parsed.data
    context.addIssue({ code: 'custom', message: 'must be a JSON object' })
    return z.NEVER
  })
}

export function onOff() {
  return z.enum(['on', 'off'], { error: 'must be on or off' })
}

/** By name: a pattern of the valid values, and their description. */
type UrlParameters = Readonly<Record<string, readonly [valid: RegExp, values: string]>>

const SWITCH = [/^(true|false)$/, 'true or false'] as const
const TEXT = [/./, 'a value'] as const
const WHOLE = [/^0*[1-9]\d*$/, 'a whole number from 1'] as const

const SMTP: UrlParameters = { disable_starttls: SWITCH, skip_ssl_verify: SWITCH, server_name: TEXT }

const POSTGRES: UrlParameters = {
  max_conns: WHOLE,
  pooler: [/^transaction$/, 'transaction'],
  connect_timeout: [/^(?!0+(\.0*)?$)\d+(\.\d+)?$/, 'a number of seconds'],
  statement_timeout: WHOLE,
  sslmode: [/^(disable|allow|prefer|require|verify-ca|verify-full)$/, 'a mode of libpq'],
  ...{ sslrootcert: TEXT, sslcert: TEXT, sslkey: TEXT, channel_binding: TEXT },
  ...{ host: TEXT, port: WHOLE, user: TEXT, password: TEXT, application_name: TEXT, options: TEXT },
}

function onlyWith(parameters: UrlParameters) {
  return (url: string, context: z.RefinementCtx<string>) => {
    const query = url.replace(/^[^/]*\/\/([^/]*@)?[^?]*/, '').replace(/#.*/s, '')
    const problems = [...new URLSearchParams(query)].flatMap(([name, value]) => {
      const [valid, values] = (Object.hasOwn(parameters, name) && parameters[name]) || []
      if (!valid) return `has an unknown parameter. The known ones are ${Object.keys(parameters).join(', ')}`
      return valid.test(value) ? [] : `must have ${values} for ${name}`
    })
    for (const message of new Set(problems)) context.addIssue({ code: 'custom', message })
  }
}

export function databaseUrl() {
  return z
    .string()
    .regex(/^(memory:|sqlite:.+|postgres(ql)?:\/\/.)/, {
      abort: true,
      error: 'must be `postgres://user:password@host/name`, `sqlite:` and a file, or `memory:`',
    })
    .superRefine((url, context) => {
      if (url.startsWith('postgres')) onlyWith(POSTGRES)(url, context)
    })
}

/** A URL or `off`. Errors do not quote it, because it contains a password. */
export function mailServer() {
  const url = z
    .url({ protocol: /^smtps?$/, hostname: /./, abort: true })
    .refine(hasReadableCredentials, {
      error: 'has a user name or password with special characters: write % as %25, @ as %40 and / as %2F',
    })
    .superRefine(onlyWith(SMTP))
  return z.union([z.literal('off'), url], {
    error: 'must look like smtp://user:password@mail.example:587, or be off',
  })
}

function hasReadableCredentials(url: string): boolean {
  try {
    const { username, password } = new URL(url)
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

export function host() {
  return z
    .string()
    .refine((value) => isIP(value) > 0 || value === 'localhost', { error: 'must be an IP address' })
}

export function anyHttpUrl() {
  return z
    .url({
      protocol: /^https?$/,
      abort: true,
      error: 'must be an address that begins with http:// or https://',
    })
    .refine(hasNoCredentials, { error: NO_CREDENTIALS })
}

/** In the spelling of browsers: small letters, punycode and no default port. */
export function httpUrl() {
  return anyHttpUrl().transform((url) => withoutEndingSlashes(new URL(url).href))
}

/** A domain in punycode, as browsers and DNS spell it. */
export function domain() {
  return z
    .string()
    .transform(domainToASCII)
    .pipe(z.string().regex(/^\.?[a-z\d-]+(\.[a-z\d-]+)+$/, { error: 'must be a domain such as example.com' }))
}

export function emailAddress() {
  return z
    .string()
    .transform((address) => address.replace(/(?<=@)[^@]*$/, domainToASCII))
    .pipe(z.email({ error: 'must be an email address' }))
}

export function origin() {
  return httpUrl().refine((value) => new URL(value).origin === value, {
    error: 'must be an origin such as https://app.example, without a path',
  })
}

/** Comma-separated `NAME:ROLE:TOKEN`. The error quotes none. */
export function adminTokens() {
  return z
    .string()
    .regex(/^([\w.@-]{1,64}:(read|support|full):[^\s,:]{32,}(,\s*(?!$)|$))+$/, {
      error:
        'must be comma-separated like ada:support:TOKEN, with read, support or full, and tokens of at least 32 characters',
    })
    .transform((list) =>
      list.split(',').map((one) => {
        const [name = '', role, token = ''] = one.trim().split(':')
        return { name, role: role as 'read' | 'support' | 'full', token }
      }),
    )
}

/** Comma-separated. */
export function origins() {
  return z
    .string()
    .transform((list) => list.split(',').map((one) => one.trim()))
    .pipe(z.array(origin()))
}

/** `/\/+$/` would take quadratic time for a run of slashes. */
export function withoutEndingSlashes(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return path.slice(0, end)
}
