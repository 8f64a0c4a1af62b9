import type { KratosProvider } from '../../../config/providers.ts'
import type { Context } from '../../../contract/contract.ts'
import { ProtocolError } from '../../../errors/errors.ts'
import { oauth } from './oauth.ts'
import { apple, fedcmTest, microsoft, openid } from './openid.ts'
import type { ProviderConfig, ProviderKind } from './provider.ts'

const kinds: Readonly<Record<Exclude<ProviderConfig['provider'], KratosProvider>, ProviderKind>> = {
  ...openid,
  ...oauth,
  apple,
  microsoft,
  'fedcm-test': fedcmTest,
}

export function kindOf({ provider, kind }: ProviderConfig): ProviderKind {
  // `KratosFeatures` names the type, which the configuration does not know.
  if (kind) return kind as ProviderKind
  return kinds[provider as keyof typeof kinds]
}

export function allProviders({ config }: Pick<Context, 'config'>): readonly ProviderConfig[] {
  const { providers } = config.selfservice.methods.oidc.config
  return providers.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

export function findProvider(ctx: Pick<Context, 'config'>, id: string): ProviderConfig | undefined {
  return ctx.config.selfservice.methods.oidc.config.providers.find((one) => one.id === id)
}

/** Throws 404 for an unknown provider. */
export function getProvider(ctx: Pick<Context, 'config'>, id: string): ProviderConfig {
  const provider = findProvider(ctx, id)
  if (!provider) throw new ProtocolError({ status: 404, reason: 'This provider does not exist.' })
  return provider
}
