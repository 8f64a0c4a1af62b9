import { randomBytes } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  VerifiedAuthenticationResponse,
  VerifiedRegistrationResponse,
} from '@simplewebauthn/server'
import { ALGORITHMS, isUsableKey } from './cose.ts'

/** What an authenticator must have answered to. */
export interface Expected {
  /** base64url, as it was asked. */
  readonly challenge: string
  readonly rp: { readonly id: string; readonly origins: readonly string[] }
  /** The authenticator must have checked that it is the person, not only that somebody is there. */
  readonly user_verification: boolean
}

/** A public key that an authenticator made; `id` and `public_key` in base64url. */
export interface AttestedKey {
  readonly id: string
  /** COSE. */
  readonly public_key: string
  readonly attestation_type: string
  readonly aaguid: string
  readonly sign_count: number
}

/** The answer to `navigator.credentials.create`, as WebAuthn's JSON. */
export type Attestation = RegistrationResponseJSON

/** The answer to `navigator.credentials.get`, as WebAuthn's JSON. */
export type Assertion = AuthenticationResponseJSON

/** base64url of 32 bytes. */
export function newChallenge(): string {
  return randomBytes(32).toString('base64url')
}

/** The new key, if the answer is one to what was asked, and the key can be used. */
export async function verifyAttestation(
  answer: Attestation,
  { challenge, rp, user_verification }: Expected,
): Promise<AttestedKey | undefined> {
  const { verifyRegistrationResponse } = await library()
  const verified = await orRefused<VerifiedRegistrationResponse>(() =>
    verifyRegistrationResponse({
      response: answer,
      expectedChallenge: challenge,
      expectedOrigin: [...rp.origins],
      expectedRPID: rp.id,
      requireUserVerification: user_verification,
      supportedAlgorithmIDs: [...ALGORITHMS],
    }),
  )
  if (!verified?.verified) return undefined
  const { credential, fmt, aaguid } = verified.registrationInfo
  // A browser takes the id from what the authenticator made; the library does not compare them.
  if (credential.id !== answer.id) return undefined
  const { decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers')
  if (!isUsableKey(decodeCredentialPublicKey(credential.publicKey))) return undefined
  return {
    id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    attestation_type: fmt,
    aaguid,
    sign_count: credential.counter,
  }
}

/**
 * The authenticator's counter of signatures, if the answer was made with this key for what was asked. Whether the
 * counter went on is for the caller to see: only an answer that is genuine says anything about a copy.
 */
export async function verifyAssertion(
  answer: Assertion,
  { challenge, rp, user_verification }: Expected,
  key: Pick<AttestedKey, 'id' | 'public_key'>,
): Promise<{ readonly sign_count: number } | undefined> {
  const { verifyAuthenticationResponse } = await library()
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
        // With any other value the library complains of a counter before it has checked the signature.
        counter: 0,
      },
    }),
  )
  return verified?.verified ? { sign_count: verified.authenticationInfo.newCounter } : undefined
}

/** WebAuthn Level 3, 7.2 step 22: zero on both sides means that the authenticator does not count. */
export function isCounterBehind(sign_count: number, stored: number): boolean {
  return (sign_count > 0 || stored > 0) && sign_count <= stored
}

/** The library throws for whatever is wrong with an answer; which of it is nobody's business but a log's. */
async function orRefused<Result>(verify: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await verify()
  } catch {
    return undefined
  }
}

let loaded: Promise<typeof import('@simplewebauthn/server')> | undefined

/** Loaded with the first answer: it takes a quarter of a second and 27 MB, which many servers never need. */
function library(): Promise<typeof import('@simplewebauthn/server')> {
  loaded ??= import('@simplewebauthn/server').then((module) => {
    // Nothing is decided by who made an authenticator. Without anchors no chain of certificates is followed, so no
    // address that stands in one is ever asked for a list of revocations.
    for (const identifier of ['android-key', 'android-safetynet', 'apple', 'mds'] as const) {
      module.SettingsService.setRootCertificates({ identifier, certificates: [] })
    }
    return module
  })
  return loaded
}
