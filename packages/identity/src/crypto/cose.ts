import type { JsonWebKey } from 'node:crypto'
import { createPublicKey } from 'node:crypto'

/** A COSE public key by the labels of RFC 9052 and RFC 9053. */
export interface CoseKey {
  get(label: number): unknown
}

/** COSE's numbers for a key type, and JWK's names. */
interface Kind {
  readonly kty: number
  readonly crv?: number
  readonly words: JsonWebKey
}

const RSA: Kind = { kty: 3, words: { kty: 'RSA' } }

/** By algorithm, each with the one curve that WebAuthn allows (Level 3, 5.8.5). In order of preference. */
const KINDS = new Map<number, Kind>([
  [-7, { kty: 2, crv: 1, words: { kty: 'EC', crv: 'P-256' } }],
  [-35, { kty: 2, crv: 2, words: { kty: 'EC', crv: 'P-384' } }],
  [-36, { kty: 2, crv: 3, words: { kty: 'EC', crv: 'P-521' } }],
  [-257, RSA],
  [-258, RSA],
  [-259, RSA],
  [-37, RSA],
  [-38, RSA],
  [-39, RSA],
  [-8, { kty: 1, crv: 6, words: { kty: 'OKP', crv: 'Ed25519' } }],
])

/** The accepted COSE algorithms, in order of preference. */
export const ALGORITHMS: readonly number[] = [...KINDS.keys()]

/** Shorter keys are weak; longer ones take too long, because the time to verify is cubic (SEC-65). */
const RSA_BITS = { least: 2048, most: 4096 }
/** Authenticators use 65537. One with as many bits as the modulus would make verifying as slow as signing. */
const RSA_EXPONENT = { least: 3n, most: 2n ** 32n - 1n }

/**
 * Whether signatures can be verified with this key, at little cost. A `none` attestation is not signed, so a broken key
 * would be stored unnoticed and lock out its owner.
 */
export function isUsableKey(key: CoseKey): boolean {
  const kind = KINDS.get(Number(key.get(3)))
  if (!kind || key.get(1) !== kind.kty) return false
  if (kind.crv !== undefined && key.get(-1) !== kind.crv) return false
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: jwkOf(key, kind), format: 'jwk' })
    const { modulusLength: bits = RSA_BITS.least, publicExponent: exponent = RSA_EXPONENT.least } =
      asymmetricKeyDetails ?? {}
    return isWithin(bits, RSA_BITS) && isWithin(exponent, RSA_EXPONENT)
  } catch {
    return false
  }
}

function isWithin<N extends number | bigint>(value: N, { least, most }: { least: N; most: N }): boolean {
  return value >= least && value <= most
}

function jwkOf(key: CoseKey, { words }: Kind): JsonWebKey {
  const labels: Readonly<Record<string, number>> = words.kty === 'RSA' ? { n: -1, e: -2 } : { x: -2, y: -3 }
  const parts = Object.entries(labels).flatMap(([name, label]) => {
    const bytes = key.get(label)
    return bytes instanceof Uint8Array ? [[name, Buffer.from(bytes).toString('base64url')]] : []
  })
  return { ...words, ...Object.fromEntries(parts) }
}
