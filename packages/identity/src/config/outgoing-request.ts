import { z } from 'zod'
import { absoluteUrl } from './values.ts'

const apiKey = z.strictObject({
  type: z.literal('api_key'),
  config: z.strictObject({
    name: z.string().min(1),
    value: z.string(),
    in: z.enum(['header', 'cookie']).default('header'),
  }),
})

const basicAuth = z.strictObject({
  type: z.literal('basic_auth'),
  config: z.strictObject({ user: z.string(), password: z.string() }),
})

const method = z
  .string()
  .toUpperCase()
  .regex(/^(?!(CONNECT|TRACE)$)[A-Z]+$/, { error: 'expected an HTTP method such as POST' })

export const outgoingRequest = {
  url: absoluteUrl,
  method,
  headers: z
    .record(z.string(), z.string())
    .default({})
    .refine((headers) => CONTENT_TYPES.includes(contentTypeOf(headers)), {
      error: () => `expected a Content-Type of ${CONTENT_TYPES.join(' or ')}`,
    }),
  auth: z.discriminatedUnion('type', [apiKey, basicAuth]).optional(),
}

export function bodyMaker<Body>() {
  return z
    .custom<string | Body>((value) => typeof value === 'function', {
      error: 'expected file:// and the path of a module with a default function',
    })
    .transform((body) => body as Body)
}

const CONTENT_TYPES = ['application/json', 'application/x-www-form-urlencoded']

function contentTypeOf(headers: Readonly<Record<string, string>>): string {
  const contentType = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')
  return contentType?.[1] ?? 'application/json'
}

interface Described {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly auth?: z.output<typeof outgoingRequest.auth>
}

/** Follows no redirects: the secrets in the request are for the configured host. */
export function writeRequest(described: Described, body: object) {
  const { method, headers } = described
  // Only methods that may have a body get one (RFC 9110, 9.3.1).
  const content = method === 'GET' || method === 'HEAD' ? {} : { body: textOf(headers, body) }
  return { method, headers: headersOf(described), ...content, redirect: 'manual' } as const
}

function headersOf({ headers, auth }: Described): Headers {
  const result = new Headers(headers)
  result.set('Content-Type', contentTypeOf(headers))
  if (auth?.type === 'basic_auth') {
    const { user, password } = auth.config
    result.set('Authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)
  } else if (auth?.config.in === 'cookie') {
    const cookie = `${auth.config.name}=${auth.config.value}`
    const before = result.get('Cookie')
    result.set('Cookie', before === null ? cookie : `${before}; ${cookie}`)
  } else if (auth) {
    result.set(auth.config.name, auth.config.value)
  }
  return result
}

function textOf(headers: Described['headers'], body: object): string {
  return contentTypeOf(headers) === 'application/json' ? JSON.stringify(body) : formOf(body)
}

function formOf(body: object): string {
  const pairs = Object.entries(body).map(([name, value]): [string, string] => {
    if (typeof value === 'string') return [name, value]
    throw new Error(`${name} is not text, which a form body requires`)
  })
  return new URLSearchParams(pairs).toString()
}
