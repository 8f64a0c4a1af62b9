import { ProtocolError } from '../../errors/errors.ts'
import type { CredentialAdmin } from '../../identities/credential-admin.ts'
import { lastCredentialError, noSuchCredential } from '../../identities/credential-admin.ts'
import {
  openTokens,
  providerIdentifier,
  providersOf,
  withoutOwnerNotes,
  withProviders,
} from '../../identities/provider-accounts.ts'

export const admin: CredentialAdmin = {
  contents(ctx, credential) {
    const providers = providersOf(credential).map((one) => openTokens(ctx, withoutOwnerNotes(one)))
    return withProviders(credential, providers).config
  },
  remove(credential, identifier) {
    if (!identifier) throw new ProtocolError({ status: 400, reason: 'Set identifier=<provider>:<subject>.' })
    if (!credential.identifiers.includes(identifier)) throw noSuchCredential()
    const left = providersOf(credential).filter((one) => providerIdentifier(one) !== identifier)
    return { put: [withProviders(credential, left)], lastCredentialError }
  },
}
