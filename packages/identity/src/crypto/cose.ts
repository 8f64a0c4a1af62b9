import { createPublicKey, type JsonWebKey } from 'node:crypto'

export interface CoseKey {
  get(label: number): unknown
}

/** COSE's numbers and JWK's names of a key type. */
interface KeyType {
  readonly kty: number
  readonly crv?: number
  readonly jwk: JsonWebKey
}

const RSA: KeyType = { kty: 3, jwk: { kty: 'RSA' } }

/** Each with the curve that WebAuthn allows (Level 3, 5.8.5), in order of preference. */
const KEY_TYPES = new Map<number, KeyType>([
  [-7, { kty: 2, crv: 1, jwk: { kty: 'EC', crv: 'P-256' } }],
  [-35, { kty: 2, crv: 2, jwk: { kty: 'EC', crv: 'P-384' } }],
  [-36, { kty: 2, crv: 3, jwk: { kty: 'EC', crv: 'P-521' } }],
  [-257, RSA],
  [-258, RSA],
  [-259, RSA],
  [-37, RSA],
  [-38, RSA],
  [-39, RSA],
  [-8, { kty: 1, crv: 6, jwk: { kty: 'OKP', crv: 'Ed25519' } }],
])

export const ALGORITHMS: readonly number[] = [...KEY_TYPES.keys()]

/** Shorter keys are weak; verifying takes cubic time (SEC-65). */
const RSA_BITS = { least: 2048, most: 4096 }
/** Authenticators use 65537. A long exponent makes verifying slow. */
const RSA_EXPONENT = { least: 3n, most: 2n ** 32n - 1n }

/** Rejects keys that are costly to verify, and broken ones, which would lock out their owner. */
export function isUsableKey(key: CoseKey): boolean {
  const type = KEY_TYPES.get(Number(key.get(3)))
  if (!type || key.get(1) !== type.kty) return false
  if (type.crv !== undefined && key.get(-1) !== type.crv) return false
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: jwkOf(key, type), format: 'jwk' })
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

function jwkOf(key: CoseKey, { jwk }: KeyType): JsonWebKey {
  const labels: Readonly<Record<string, number>> = jwk.kty === 'RSA' ? { n: -1, e: -2 } : { x: -2, y: -3 }
  const parts = Object.entries(labels).flatMap(([name, label]) => {
    const bytes = key.get(label)
    return bytes instanceof Uint8Array ? [[name, Buffer.from(bytes).toString('base64url')]] : []
  })
  return { ...jwk, ...Object.fromEntries(parts) }
}
