import type { Context } from '../../contract/contract.ts'
import type { Subject } from '../../identities/subject.ts'
import { credentialOf } from '../../identities/subject.ts'
import type { Credential } from '../../storage/identities/credentials.ts'
import type { JsonObject } from '../../wire/identity.ts'

/** The stored authenticator app of a user. */
export interface StoredTotp extends JsonObject {
  /** The `otpauth:` URL with the secret, encrypted. */
  readonly totp_url: string
  /** The newest step whose code was used; no code up to it is accepted (SEC-58). */
  readonly last_step: number
}

/** The authenticator app of a user. */
export function totpOf(
  subject: Subject | undefined,
): (Credential & { readonly config: StoredTotp }) | undefined {
  const own = credentialOf(subject, 'totp')
  return own && { ...own, config: own.config as StoredTotp }
}

/** In a flow and in the credential: only this service can decrypt it. */
export function sealTotpUrl(ctx: Context, url: string): string {
  return ctx.secrets.encrypt(PURPOSE, url)
}

export function openTotpUrl(ctx: Context, sealed: string): string {
  return ctx.secrets.decrypt(PURPOSE, sealed)
}

const PURPOSE = 'totp'
