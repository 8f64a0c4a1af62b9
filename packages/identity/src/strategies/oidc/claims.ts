import { canonicalDomain, normaliseAddress } from '../../input/identifier.ts'
import { isObject, withoutUndefined } from '../../input/json.ts'

/** Named as in OpenID Connect. */
export type Claims = Readonly<Record<string, unknown>>

const TEXTS = [
  'iss sub oid name given_name family_name last_name middle_name nickname preferred_username profile',
  'picture website email gender birthdate zoneinfo phone_number hd team nonce acr',
].flatMap((line) => line.split(' '))
const SWITCHES = ['email_verified', 'phone_number_verified', 'nonce_supported']

/** Drops unknown, mistyped and empty ones. */
export function normaliseClaims(claims: Claims, raw_claims?: Claims): Claims {
  return withoutUndefined({
    ...Object.fromEntries(TEXTS.map((name) => [name, textOf(claims[name])])),
    ...Object.fromEntries(SWITCHES.map((name) => [name, isTrue(claims[name])])),
    locale: localeOf(claims.locale),
    updated_at: secondsOf(claims.updated_at),
    amr: Array.isArray(claims.amr) ? claims.amr.filter((one) => typeof one === 'string') : undefined,
    raw_claims,
  })
}

/** Only an address that the provider itself has verified (SEC-26). */
export function provenEmail({ email, email_verified }: Claims): string | undefined {
  return typeof email === 'string' && email_verified === true ? vouchedAddress(email) : undefined
}

/** Undefined if our spelling may name another mailbox: the Kelvin sign becomes a k, and `İ` an i. */
export function vouchedAddress(text: string): string | undefined {
  const address = normaliseAddress(text)
  return asciiOf(withUnicodeDomain(text)) === asciiOf(address) ? address : undefined
}

/** Leaves full-width letters, which the canonical form replaces. */
function withUnicodeDomain(text: string): string {
  const at = text.lastIndexOf('@') + 1
  const domain = text.slice(at).trim()
  return /^[!-~]*$/.test(domain) ? text.slice(0, at) + canonicalDomain(domain.toLowerCase()) : text
}

function asciiOf(text: string): string {
  return text.replaceAll(/[^!-~]/g, '').toLowerCase()
}

/** The payload of a JWT, to choose how to verify it. Empty for anything else. */
export function readUnverified(token: unknown): Claims {
  try {
    const payload: unknown = JSON.parse(
      Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString('utf8'),
    )
    return isObject(payload) ? payload : {}
  } catch {
    return {}
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A 1 or a "yes" verifies nothing (SEC-26). */
function isTrue(value: unknown): true | undefined {
  return value === true || value === 'true' ? true : undefined
}

/** Auth0, GitHub and Salesforce send a date. */
function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' ? Math.floor(Date.parse(value) / 1000) : value
  return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : undefined
}

function localeOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return textOf(value)
  const { language, country } = value as Claims
  return textOf([textOf(language), textOf(country)].filter(Boolean).join('-'))
}
