import type { Context } from '../../contract/contract.ts'
import type { Subject } from '../../identities/subject.ts'
import { credentialOf } from '../../identities/subject.ts'
import type { Credential } from '../../storage/identities/credentials.ts'
import type { JsonObject } from '../../wire/identity.ts'

export interface StoredTotp extends JsonObject {
  /** The encrypted `otpauth:` URL. */
  readonly totp_url: string
  /** Rejects codes up to this step (SEC-58). */
  readonly last_step: number
}

export function totpOf(
  subject: Subject | undefined,
): (Credential & { readonly config: StoredTotp }) | undefined {
  const own = credentialOf(subject, 'totp')
  return own && { ...own, config: own.config as StoredTotp }
}

export function sealTotpUrl(ctx: Context, url: string): string {
  return ctx.secrets.encrypt(PURPOSE, url)
}

export function openTotpUrl(ctx: Context, sealed: string): string {
  return ctx.secrets.decrypt(PURPOSE, sealed)
}

const PURPOSE = 'totp'
