import type { IdentityService } from '../service.ts'

type CookieScope = Pick<IdentityService, 'cookieDomain'>

const NAME = 'user_jwt'
const PAST = 'Expires=Thu, 01 Jan 1970 00:00:00 GMT'

export interface UserJwtClaims {
  readonly sid?: string
  /** Seconds since the epoch (RFC 7519). */
  readonly iat?: number
  readonly exp?: number
}

/**
 * Stores the token on the parent domain of the product, for as long as the token lives. `Expires` would follow
 * the browser's clock, which may be wrong.
 */
export function writeUserJwt(token: string, service: CookieScope): void {
  const { iat, exp } = readClaims(token)
  const life = iat === undefined || exp === undefined ? [] : [`Max-Age=${exp - iat}`]
  const attributes = [...life, ...domain(service)]
  // A cookie of the same name on this host would be sent with ours, and the backend rejects two.
  if (attributes.some((part) => part.startsWith('Domain='))) setCookie('', PAST, 'Secure')
  setCookie(token, ...attributes, 'Secure')
  // Safari refuses Secure cookies over http, even on loopback.
  if (isPlainLoopback() && readUserJwt() !== token) setCookie(token, ...attributes)
}

/** Deletes every variant of the cookie. */
export function clearUserJwt(service: CookieScope): void {
  for (const place of [[], domain(service)]) {
    setCookie('', PAST, ...place, 'Secure')
    if (isPlainLoopback()) setCookie('', PAST, ...place)
  }
}

export function readUserJwt(): string | undefined {
  const pair = document.cookie.split('; ').find((entry) => entry.startsWith(`${NAME}=`))
  return pair?.slice(NAME.length + 1)
}

/** Unverified claims, for timers and comparisons only. */
export function readClaims(token: string | undefined): UserJwtClaims {
  try {
    const payload = (token?.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    return JSON.parse(atob(payload)) as UserJwtClaims
  } catch {
    return {}
  }
}

function setCookie(value: string, ...attributes: string[]): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that we support
  document.cookie = [`${NAME}=${value}`, 'Path=/', 'SameSite=Lax', ...attributes].join('; ')
}

/** Browsers refuse a Domain on localhost and on addresses. */
function domain({ cookieDomain }: CookieScope): string[] {
  const host = location.hostname
  if (!cookieDomain || host === 'localhost' || host.includes(':') || /^[\d.]+$/.test(host)) return []
  return [`Domain=${cookieDomain}`]
}

function isPlainLoopback(): boolean {
  return location.protocol === 'http:' && /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname)
}
