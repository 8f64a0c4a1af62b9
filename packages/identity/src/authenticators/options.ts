import { ALGORITHMS } from '../crypto/cose.ts'

// Arguments of `navigator.credentials` as JSON.

export interface RelyingParty {
  readonly id: string
  readonly display_name: string
  readonly origins: readonly string[]
}

export type UserVerification = 'required' | 'preferred' | 'discouraged'

interface Creation {
  readonly rp: RelyingParty
  /** `handle` is base64url. */
  readonly user: { readonly handle: string; readonly name: string }
  readonly challenge: string
  /** An authenticator that holds one of them creates no other. */
  readonly excluded: readonly string[] | undefined
  /** Milliseconds. */
  readonly timeout: number
  readonly selection: Readonly<Record<string, unknown>> & { readonly userVerification: UserVerification }
  readonly attestation?: string
}

export function creationOptions({
  rp,
  user,
  challenge,
  excluded = [],
  timeout,
  selection,
  attestation,
}: Creation) {
  return {
    publicKey: {
      rp: { name: rp.display_name, id: rp.id },
      user: { name: user.name, displayName: user.name, id: user.handle },
      challenge,
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      timeout,
      ...(excluded.length > 0 && { excludeCredentials: excluded.map(descriptorOf) }),
      authenticatorSelection: selection,
      ...(attestation === undefined || attestation === 'none' ? {} : { attestation }),
    },
  }
}

interface Request {
  readonly rp: RelyingParty
  readonly challenge: string
  /** Milliseconds. */
  readonly timeout: number
  /** Any credential of this site if absent. */
  readonly allowed?: readonly string[] | undefined
  readonly user_verification: UserVerification
}

export function requestOptions({ rp, challenge, timeout, allowed, user_verification }: Request) {
  return {
    publicKey: {
      challenge,
      timeout,
      rpId: rp.id,
      ...(allowed ? { allowCredentials: allowed.map(descriptorOf) } : {}),
      userVerification: user_verification,
    },
  }
}

function descriptorOf(id: string) {
  return { type: 'public-key', id }
}
