import { type Policy, SELF, SOURCE_PARTS, sourcesOf } from '../product/policy.ts'
import type { Settings } from '../settings/env.ts'

/** Response headers by kind of response. */
export type HeaderSet = Readonly<Record<string, string>>

export function createHeaderSets(
  public_url: URL,
  { hsts = 'on', policy = {} }: { hsts?: Settings['hsts']; policy?: Policy | undefined } = {},
) {
  const https = public_url.protocol === 'https:'
  const pageHeaders = {
    ...pageOnly,
    'Permissions-Policy': permissionsText({ ...permissions, ...policy.permissions }),
    ...(https && { 'Reporting-Endpoints': `csp="${public_url.origin}/csp-report"` }),
  }
  const api = {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
    ...(https && { 'Strict-Transport-Security': strictTransport[hsts] }),
    'Content-Security-Policy':
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
    'Cache-Control': 'no-store',
    // Identity and API hosts may be siblings.
    'Cross-Origin-Resource-Policy': 'same-site',
  }
  const withOrigins = (directives: Directives) => policyText(relax(directives, policy), https)
  return {
    api,
    page: { ...pageHeaders, 'Content-Security-Policy': withOrigins(pagePolicy) },
    // The admin port always speaks plain HTTP.
    adminPage: {
      ...pageOnly,
      'Content-Security-Policy': policyText({ ...pagePolicy, 'img-src': "'self'" }, false),
    },
    inbox: {
      ...pageHeaders,
      'Content-Security-Policy': withOrigins({ ...pagePolicy, 'frame-src': "'self'" }),
    },
    /** A file named by a hash of its content. */
    asset: { ...sameOrigin, 'Cache-Control': 'public, max-age=31536000, immutable' },
    /** A file such as the favicon, whose name stays when its content changes. */
    file: { ...sameOrigin, 'Cache-Control': 'public, max-age=3600' },
  }
}

export type HeaderSets = ReturnType<typeof createHeaderSets>

const strictTransport = {
  on: 'max-age=63072000',
  subdomains: 'max-age=63072000; includeSubDomains',
  preload: 'max-age=63072000; includeSubDomains; preload',
}

const sameOrigin: HeaderSet = { 'Cross-Origin-Resource-Policy': 'same-origin' }

const permissions: NonNullable<Policy['permissions']> = {
  camera: [],
  microphone: [],
  geolocation: [],
  payment: [],
  usb: [],
  'publickey-credentials-get': [SELF],
  'publickey-credentials-create': [SELF],
}

const pageOnly: HeaderSet = {
  ...sameOrigin,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': permissionsText(permissions),
  'Cache-Control': 'no-cache',
  'Content-Type': 'text/html; charset=utf-8',
}

const pagePolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  // QR codes are `data:` URLs, which cannot run scripts.
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
  'object-src': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
}

type Directives = Readonly<Record<string, string>>

function relax(directives: Directives, policy: Policy): Directives {
  const sourceDirectives = SOURCE_PARTS.map((part) => {
    const name = `${part}-src`
    return [name, [...(directives[name]?.split(' ') ?? []), ...sourcesOf(policy, part)].join(' ')] as const
  })
  const all = { ...directives, ...Object.fromEntries(sourceDirectives.filter(([, value]) => value !== '')) }
  const { trustedTypes = [] } = policy
  if (trustedTypes === 'off') {
    const { 'require-trusted-types-for': _, 'trusted-types': __, ...others } = all
    return others
  }
  return trustedTypes.length === 0 ? all : { ...all, 'trusted-types': trustedTypes.join(' ') }
}

function permissionsText(features: NonNullable<Policy['permissions']>): string {
  const lines = Object.entries(features).map(([name, origins]) => {
    const allowed = origins.map((origin) => (origin === SELF ? 'self' : `"${origin}"`))
    return `${name}=(${allowed.join(' ')})`
  })
  return lines.join(', ')
}

function policyText(directives: Directives, https: boolean): string {
  const lines = Object.entries(directives).map(([name, value]) => `${name} ${value}`)
  return [...lines, ...(https ? ['upgrade-insecure-requests', 'report-to csp'] : [])].join('; ')
}
