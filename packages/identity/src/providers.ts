// For further kinds of sign-in providers, such as those of packages/kratos.

export { urlAt } from './config/base-url.ts'
export type { KratosProvider } from './config/providers.ts'
export { randomToken } from './crypto/random.ts'
export { valueAt } from './input/json.ts'
export type { Claims } from './strategies/oidc/claims.ts'
export { readApi, server } from './strategies/oidc/providers/api.ts'
export type {
  Granted,
  ProviderCall,
  ProviderKind,
  RequestToken,
} from './strategies/oidc/providers/provider.ts'
export { providerError, unusable } from './strategies/oidc/providers/provider.ts'
