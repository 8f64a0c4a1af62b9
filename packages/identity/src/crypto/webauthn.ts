import { createPublicKey, type JsonWebKey, randomBytes } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  VerifiedAuthenticationResponse,
  VerifiedRegistrationResponse,
} from '@simplewebauthn/server'

// Imported with the first response, because loading takes 0.25 s and 27 MB. An import that fails for lack of
// file descriptors can be repeated (FLT-31).

export interface Expected {
  /** In base64url. */
  readonly challenge: string
  readonly rp: { readonly id: string; readonly origins: readonly string[] }
  /** The authenticator must have verified the user, not only their presence. */
  readonly user_verification: boolean
}

export interface AttestedKey {
  /** In base64url, as the key. */
  readonly id: string
  /** COSE. */
  readonly public_key: string
  readonly attestation_type: string
  readonly aaguid: string
  readonly sign_count: number
}

export type Attestation = RegistrationResponseJSON

export type Assertion = AuthenticationResponseJSON

export function newChallenge(): string {
  return randomBytes(32).toString('base64url')
}

export async function verifyAttestation(
  answer: Attestation,
  { challenge, rp, user_verification }: Expected,
): Promise<AttestedKey | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const statement = await orRefused(() => withoutStatement(answer))
  if (!statement) return undefined
  const verified = await orRefused<VerifiedRegistrationResponse>(() =>
    verifyRegistrationResponse({
      response: statement.answer,
      expectedChallenge: challenge,
      expectedOrigin: [...rp.origins],
      expectedRPID: rp.id,
      requireUserVerification: user_verification,
      supportedAlgorithmIDs: [...ALGORITHMS],
    }),
  )
  if (!verified?.verified) return undefined
  const { credential, aaguid } = verified.registrationInfo
  const public_key = Buffer.from(credential.publicKey).toString('base64url')
  // The library does not compare the two.
  if (credential.id !== answer.id || !(await isUsablePublicKey(public_key))) return undefined
  return {
    id: credential.id,
    public_key,
    attestation_type: statement.fmt,
    aaguid,
    sign_count: credential.counter,
  }
}

/** WebAuthn Level 3, 8. */
const FORMATS = ['packed', 'tpm', 'android-key', 'android-safetynet', 'fido-u2f', 'apple']

/**
 * Statements are not verified, because any make is accepted. A certificate chain may have costly
 * keys, and URLs of revocation lists (SEC-65).
 */
async function withoutStatement(answer: Attestation): Promise<{ answer: Attestation; fmt: string }> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers')
  const { response } = answer
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  const fmt: string = attestation.get('fmt')
  if (!FORMATS.includes(fmt)) return { answer, fmt: 'none' }
  const none = new Map<string, Map<string, string> | string | Uint8Array>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', attestation.get('authData')],
  ])
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(none))
  return { answer: { ...answer, response: { ...response, attestationObject } }, fmt }
}

/** In base64url. Also checked for stored keys, which may be imported. */
export async function isUsablePublicKey(publicKey: string): Promise<boolean> {
  const { decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers')
  try {
    return isUsableKey(decodeCredentialPublicKey(new Uint8Array(Buffer.from(publicKey, 'base64url'))))
  } catch {
    return false
  }
}

/** Returns the new signature counter of a valid response. The caller must check it: it reveals a clone. */
export async function verifyAssertion(
  answer: Assertion,
  { challenge, rp, user_verification }: Expected,
  key: Pick<AttestedKey, 'id' | 'public_key'>,
): Promise<{ readonly sign_count: number } | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  if (!(await isUsablePublicKey(key.public_key))) return undefined
  const verified = await orRefused<VerifiedAuthenticationResponse>(() =>
    verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: challenge,
      expectedOrigin: [...rp.origins],
      expectedRPID: rp.id,
      requireUserVerification: user_verification,
      credential: {
        id: key.id,
        publicKey: new Uint8Array(Buffer.from(key.public_key, 'base64url')),
        // Otherwise the library rejects the counter before it verifies the signature.
        counter: 0,
      },
    }),
  )
  return verified?.verified ? { sign_count: verified.authenticationInfo.newCounter } : undefined
}

/** WebAuthn Level 3, 7.2 step 22: zero on both sides means no counter. */
export function isCounterBehind(sign_count: number, stored: number): boolean {
  return (sign_count > 0 || stored > 0) && sign_count <= stored
}

/** The library throws for any invalid response. */
async function orRefused<Result>(verify: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await verify()
  } catch {
    return undefined
  }
}

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
