import type { ParsedProvider } from '../providers.ts'
import type { ParsedConfig } from '../schema.ts'
import type { ConfigIssue } from './config-error.ts'

/** Problems between the settings of a sign-in provider. */
export function providerIssues({ dev, selfservice }: ParsedConfig): ConfigIssue[] {
  const { enabled, config } = selfservice.methods.oidc
  if (!enabled) return []
  const ids = config.providers.map(({ id }) => id)
  return config.providers.flatMap((one, index) => {
    const path = `selfservice.methods.oidc.config.providers[${index}]`
    const twice = ids.indexOf(one.id) === index ? [] : [`${one.id} is used twice`]
    return [
      ...twice.map((message) => ({ path: `${path}.id`, message })),
      ...missing(one).map((name) => ({ path: `${path}.${name}`, message: 'is missing' })),
      ...(dev ? [] : unsafe(one).map(([name, message]) => ({ path: `${path}.${name}`, message }))),
    ]
  })
}

function missing(one: ParsedProvider): string[] {
  const needsIssuer = one.provider === 'generic' && one.issuer_url === undefined
  return [...(needsIssuer ? ['issuer_url'] : []), ...(one.mapper === undefined ? ['mapper_url'] : [])]
}

const ADDRESSES = ['issuer_url', 'auth_url', 'token_url'] as const

/** Settings that are allowed in dev mode only. */
function unsafe(one: ParsedProvider): [string, string][] {
  const plain = ADDRESSES.filter((name) => one[name]?.startsWith('http:')).map((name): [string, string] => [
    name,
    'must begin with https:// (http is for dev only)',
  ])
  const test = one.provider === 'fedcm-test'
  return test ? [...plain, ['provider', 'fedcm-test accepts any user: it is for dev only']] : plain
}
