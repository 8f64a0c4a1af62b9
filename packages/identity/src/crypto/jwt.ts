import { calculateJwkThumbprint, exportJWK, generateKeyPair, importPKCS8, type JWK, SignJWT } from 'jose'

export type Jwk = Readonly<Record<string, unknown>> & Pick<JWK, 'kid' | 'alg'> & { readonly kty: string }

type Claims = Readonly<Record<string, unknown>>

/** An ES256 key whose `kid` is its thumbprint (RFC 7638). */
export async function newSigningKey(): Promise<Jwk> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  return { ...jwk, kty: 'EC', kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig' }
}

/** Throws without a usable algorithm. */
export async function signJwt(key: Jwk, claims: Claims): Promise<string> {
  if (key.alg === undefined || key.alg === 'none') throw new TypeError('the key has no algorithm')
  const header = { alg: key.alg, typ: 'JWT', kid: key.kid }
  return await new SignJWT(claims).setProtectedHeader(header).sign(key as JWK)
}

export async function signWithPem(pem: string, kid: string, claims: Claims): Promise<string> {
  const key = await importPKCS8(pem, 'ES256')
  return await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(key)
}

/** Undefined for a symmetric key, which has no public part (SEC-54). */
export function publicJwk(key: Jwk): Jwk | undefined {
  const members = PUBLIC_MEMBERS[key.kty]
  if (members === undefined) return undefined
  const publicMembers = ['kty', 'kid', 'alg', 'use', ...members].filter((name) => key[name] !== undefined)
  return { kty: key.kty, ...Object.fromEntries(publicMembers.map((name) => [name, key[name]])) }
}

/** An allowlist, so that no private member leaks. */
const PUBLIC_MEMBERS: Readonly<Record<string, readonly string[] | undefined>> = {
  EC: ['crv', 'x', 'y'],
  OKP: ['crv', 'x'],
  RSA: ['n', 'e'],
}
