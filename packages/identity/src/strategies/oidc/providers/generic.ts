import type { ProviderConfig, ProviderKind } from './provider.ts'

export const generic: ProviderKind = {
  issuer: ({ issuer_url = '' }) => issuer_url,
  hosts: [],
  scope: ({ scope }) => withOpenId(scope),
  parameters: requestedClaims,
}

/** Kratos compatibility: appended if missing. */
export function withOpenId(scope: readonly string[]): readonly string[] {
  return scope.includes('openid') ? scope : [...scope, 'openid']
}

export function requestedClaims({ requested_claims }: ProviderConfig): Record<string, string> {
  return requested_claims === undefined ? {} : { claims: JSON.stringify(requested_claims) }
}
