import type { JWK } from 'jose'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'

/** RFC 7517: a key as JSON, private part included unless the name says otherwise. */
export interface Jwk {
  readonly kty: string
  readonly kid?: string | undefined
  readonly alg?: string | undefined
  readonly [member: string]: unknown
}

/** A new private ES256 key; its `kid` is its thumbprint (RFC 7638), so no two deployments share one. */
export async function newSigningKey(): Promise<Jwk> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  return { ...jwk, kty: 'EC', kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig' }
}

/** Signs with the algorithm that the key names; throws where it names none or cannot sign. */
export async function signJwt(key: Jwk, claims: Readonly<Record<string, unknown>>): Promise<string> {
  if (key.alg === undefined || key.alg === 'none') throw new TypeError('the key names no algorithm')
  const header = { alg: key.alg, typ: 'JWT', ...(key.kid === undefined ? {} : { kid: key.kid }) }
  return await new SignJWT(claims).setProtectedHeader(header).sign(key as JWK)
}

/** What may be published of a key; undefined for a symmetric one, which has no public part (SEC-54). */
export function publicJwk(key: Jwk): Jwk | undefined {
  const members = PUBLIC_MEMBERS[key.kty]
  if (members === undefined) return undefined
  const shown = ['kty', 'kid', 'alg', 'use', ...members].filter((name) => key[name] !== undefined)
  return { kty: key.kty, ...Object.fromEntries(shown.map((name) => [name, key[name]])) }
}

/** Named one by one, so that no private member of any key type can slip through. */
const PUBLIC_MEMBERS: Readonly<Record<string, readonly string[] | undefined>> = {
  EC: ['crv', 'x', 'y'],
  OKP: ['crv', 'x'],
  RSA: ['n', 'e'],
}
