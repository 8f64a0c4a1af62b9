import { createHash } from 'node:crypto'
import type { Config } from '../config/config.ts'
import type { SessionCredential } from '../contract/caller.ts'
import type { Context } from '../contract/contract.ts'
import { openKratosCookie } from '../crypto/kratos-cookie.ts'
import { DEVICE_LIFETIME_S } from '../devices/known-device.ts'
import type { StoredSession } from '../storage/sessions/sessions.ts'

const CSRF_LIFETIME_S = 31_536_000
const CONTINUITY_LIFETIME_S = 900

/** `undefined` for a duplicated name: a sibling host may have planted one (SEC-35, SEC-36). */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = cookieValues(header, name)
  return values.length === 1 ? values[0] : undefined
}

/** Includes a hash, so that two services on one host do not share the cookie. */
export function csrfCookieName(config: Config): string {
  const hash = createHash('sha256').update(config.serve.public.base_url).digest('hex')
  return `${hostPrefix(config)}csrf_token_${hash}`
}

export function csrfCookie(config: Config, secret: string): string {
  const same_site = config.cookies.secure ? config.cookies.same_site : 'Lax'
  const attributes = { ...config.cookies, same_site, max_age: CSRF_LIFETIME_S }
  return serialize(csrfCookieName(config), secret, attributes)
}

type Signing = Pick<Context, 'config' | 'secrets'>

/** A purpose of `secrets.cookie`. */
const SIGNATURE = 'cookie session'

/** Removing an old cookie secret ends its cookies, as in Kratos. `secrets.default` rotates without that. */
function isSigned({ config }: Signing): boolean {
  return config.secrets.cookie.length > 0
}

function sessionCookieName(config: Config): string {
  return `${hostPrefix(config)}${config.session.cookie.name}`
}

export function sessionCookie(ctx: Signing, token: string, session: StoredSession, now: Date): string {
  const { config } = ctx
  const ends = Date.parse(session.expires_at)
  const max_age = Math.max(0, Math.floor((ends - now.getTime()) / 1000))
  const named = `${token}.${ends / 1000}`
  const value = isSigned(ctx) ? `${named}.${ctx.secrets.mac(SIGNATURE, named)}` : named
  const { persistent } = config.session.cookie
  return serialize(sessionCookieName(config), value, {
    ...config.session.cookie,
    ...(persistent ? { max_age } : {}),
  })
}

export function endedSessionCookie(config: Config): string {
  return serialize(sessionCookieName(config), '', { ...config.session.cookie, max_age: 0 })
}

/** Returns none if there are more than an honest browser sends. */
export function readSessionCookies(ctx: Signing, header: string | undefined): SessionCredential[] {
  const { config } = ctx
  const name = sessionCookieName(config)
  const values = new Set(cookieValues(header, name))
  if (values.size > MOST_SESSION_COOKIES) return []
  const { cookie, default: fallback } = config.secrets
  const secrets = cookie.length > 0 ? cookie : fallback
  return [...values].flatMap((value) => {
    const cookie = parseSessionCookie(ctx, value) ?? openKratosCookie(name, value, secrets)
    return cookie ? { from: 'cookie', token: cookie.token, cookie_expires: cookie.expires } : []
  })
}

// Each costs a look-up. Only a changed domain or path leaves stale ones.
const MOST_SESSION_COOKIES = 4

function parseSessionCookie(ctx: Signing, value: string) {
  const match = /^((ory_st_[A-Za-z0-9]{20,64})\.(\d{1,12}(?:\.\d{1,3})?))(?:\.([\w-]{43}))?$/.exec(value)
  const [, named = '', token = '', expires, mac = ''] = match ?? []
  if (!match || (isSigned(ctx) && !ctx.secrets.verifyMac(SIGNATURE, named, mac))) return undefined
  return { token, expires: Number(expires) }
}

/** `__Host-` rejects the cookie from sibling hosts and requires these three settings. */
function hostPrefix({ cookies }: Config): string {
  return cookies.host_prefix && cookies.secure && cookies.domain === undefined && cookies.path === '/'
    ? '__Host-'
    : ''
}

function continuityCookieName(config: Config): string {
  return `${hostPrefix(config)}ory_kratos_continuity`
}

/** Newest first. */
export function readContinuityTokens(config: Config, header: string | undefined): readonly string[] {
  const tokens = readCookie(header, continuityCookieName(config))?.split('.') ?? []
  return tokens.slice(0, config.cookies.waiting_tabs).filter((one) => /^[A-Za-z0-9]{43}$/.test(one))
}

/**
 * Each token binds a pending sign-in or re-authentication to the browser. Lax, because a provider's callback
 * is a cross-site navigation.
 */
export function continuityCookie(config: Config, token: string, before: readonly string[] = []): string {
  const attributes = { ...config.cookies, same_site: 'Lax', max_age: CONTINUITY_LIFETIME_S }
  const tokens = [token, ...before.filter((one) => one !== token)].slice(0, config.cookies.waiting_tabs)
  return serialize(continuityCookieName(config), tokens.join('.'), attributes)
}

export function deviceCookieName(config: Config): string {
  return `${hostPrefix(config)}device`
}

/** Strict, because the cookie is not needed cross-site. */
export function deviceCookie(config: Config, value: string): string {
  const attributes = { ...config.cookies, same_site: 'Strict', max_age: DEVICE_LIFETIME_S }
  return serialize(deviceCookieName(config), value, attributes)
}

interface CookieAttributes {
  readonly path: string
  readonly domain?: string | undefined
  readonly secure: boolean
  readonly same_site: string
  readonly max_age?: number
}

function serialize(name: string, value: string, attributes: CookieAttributes): string {
  const { path, domain, secure, same_site, max_age } = attributes
  return [
    `${name}=${value}`,
    `Path=${path}`,
    ...(domain === undefined ? [] : [`Domain=${domain}`]),
    ...(max_age === undefined ? [] : [`Max-Age=${max_age}`]),
    'HttpOnly',
    ...(secure ? ['Secure'] : []),
    `SameSite=${same_site}`,
  ].join('; ')
}

export function cookieValues(header: string | undefined, name: string): string[] {
  const start = `${name}=`
  return cookiePairs(header ?? '')
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
}

export function cookiePairs(header: string): string[] {
  return header.split(';').map(trimBlanks)
}

/**
 * Trims only spaces and tabs: "\u2000name" is not "name" (SEC-36). A regular expression would take quadratic
 * time.
 */
function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text, start)) start++
  while (end > start && isBlank(text, end - 1)) end--
  return text.slice(start, end)
}

function isBlank(text: string, index: number): boolean {
  const character = text[index]
  return character === ' ' || character === '\t'
}
