import type { Strategy } from '../../contract/contract.ts'
import { badRequest } from '../../errors/errors.ts'
import type { CredentialAdmin } from '../../identities/credential-admin.ts'
import { noSuchCredential } from '../../identities/credential-admin.ts'
import {
  openTokens,
  providerIdentifier,
  providersOf,
  withoutOwnerNotes,
  withProviders,
} from '../../identities/provider-accounts.ts'
import { login } from './login.ts'
import { registration } from './registration.ts'
import { settings } from './settings.ts'

const admin: CredentialAdmin = {
  contents(ctx, credential) {
    const providers = providersOf(credential).map((one) => openTokens(ctx, withoutOwnerNotes(one)))
    return withProviders(credential, providers).config
  },
  remove(credential, identifier) {
    if (!identifier) throw badRequest('Set identifier=<provider>:<subject>.')
    if (!credential.identifiers.includes(identifier)) throw noSuchCredential()
    const remainingProviders = providersOf(credential).filter((one) => providerIdentifier(one) !== identifier)
    return { put: [withProviders(credential, remainingProviders)] }
  },
  keepsLast: true,
}

export const oidc: Strategy = {
  id: 'oidc',
  group: 'oidc',
  admin,
  enabled: (config) => config.selfservice.methods.oidc.enabled,
  steps: { login, registration, settings },
  factors: (credential, config) => {
    const ids = config.selfservice.methods.oidc.config.providers.map(({ id }) => id)
    return providersOf(credential)
      .filter(({ provider }) => ids.includes(String(provider)))
      .map(() => 'aal1' as const)
  },
}
