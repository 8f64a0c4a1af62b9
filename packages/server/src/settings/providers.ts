import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { DemoClient, OfferedProviders } from '../product/demo.ts'
import type { MissingSetting } from './conflicts.ts'
import { anyHttpUrl, httpUrl } from './env-values.ts'

/** An entry of the identity service's `selfservice.methods.oidc.config.providers`. */
export interface ProviderEntry extends Omit<Keys, 'id' | 'label'> {
  readonly id: string
  readonly label: string
  readonly scope: string[]
  readonly provider: ProviderRecord['kind']
  readonly client_id: string
  readonly claims_source?: 'auto'
}

interface ProviderRecord {
  readonly id: string
  readonly label: string
  readonly kind: 'apple' | 'discord' | 'generic' | 'github' | 'gitlab' | 'google' | 'microsoft' | 'slack'
  readonly scope: string[]
  readonly variables: Readonly<Record<string, Variable>>
  readonly defaults?: Keys
}

interface Variable {
  readonly key: keyof Keys
  readonly isOptional?: true
  readonly value: z.ZodType<string | undefined>
}

type Keys = Partial<
  Record<
    | 'id'
    | 'label'
    | 'client_id'
    | 'client_secret'
    | 'issuer_url'
    | 'microsoft_tenant'
    | 'apple_team_id'
    | 'apple_private_key_id'
    | 'apple_private_key',
    string
  >
>

const OPENID = ['openid', 'email', 'profile']

/** A provider is offered once its variables are set. docs/providers.md describes each. */
const records: readonly ProviderRecord[] = [
  {
    id: 'apple',
    label: 'Apple',
    kind: 'apple',
    scope: ['name', 'email'],
    variables: {
      APPLE_CLIENT_ID: { key: 'client_id', value: text('your Services ID at Apple') },
      APPLE_TEAM_ID: { key: 'apple_team_id', value: text('the id of your team') },
      APPLE_KEY_ID: { key: 'apple_private_key_id', value: text('the id of the key') },
      APPLE_PRIVATE_KEY: { key: 'apple_private_key', value: privateKey() },
    },
  },
  plainRecord('discord', 'Discord', ['identify', 'email'], 'your application at Discord'),
  plainRecord('github', 'GitHub', ['user:email'], 'your OAuth app at GitHub; without it the demo stands in'),
  {
    id: 'gitlab',
    label: 'GitLab',
    kind: 'gitlab',
    scope: OPENID,
    variables: {
      ...client('GITLAB', 'your application at GitLab'),
      GITLAB_URL: {
        key: 'issuer_url',
        isOptional: true,
        value: httpUrl().optional().describe('your own GitLab server'),
      },
    },
  },
  plainRecord('google', 'Google', OPENID, 'your OAuth client at Google; without it the demo stands in'),
  {
    id: 'microsoft',
    label: 'Microsoft',
    kind: 'microsoft',
    scope: OPENID,
    variables: {
      ...client('MICROSOFT', 'your app registration at Microsoft'),
      MICROSOFT_TENANT: {
        key: 'microsoft_tenant',
        isOptional: true,
        value: z
          .string()
          .regex(/^(common|organizations|consumers|[\da-f-]{36}|([\da-z-]+\.)+[a-z]+)$/i, {
            error: 'must be common, organizations, consumers, or the id or domain of a tenant',
          })
          .optional()
          .describe(
            'whose accounts: a tenant’s id or domain, `organizations` or `consumers`. Default: `common`, all',
          ),
      },
    },
    defaults: { microsoft_tenant: 'common' },
  },
  plainRecord('slack', 'Slack', OPENID, 'your app at Slack'),
  {
    id: 'oidc',
    label: 'single sign-on',
    kind: 'generic',
    scope: OPENID,
    variables: {
      // It may end with a slash, which its tokens repeat.
      OIDC_ISSUER_URL: {
        key: 'issuer_url',
        value: anyHttpUrl().optional().describe('any other OpenID Connect provider'),
      },
      ...client('OIDC', 'your client there'),
      OIDC_LABEL: { key: 'label', isOptional: true, value: text('its name. Default: single sign-on') },
      OIDC_ID: { key: 'id', isOptional: true, value: text('its id in URLs and accounts. Default: `oidc`') },
    },
  },
]

export const providerVariables = z.object(
  Object.fromEntries(
    records.flatMap(({ variables }) => Object.entries(variables).map(([name, { value }]) => [name, value])),
  ),
)

type ProviderValues = z.output<typeof providerVariables>

export function readProviders(values: ProviderValues): ProviderEntry[] {
  return records.flatMap(({ id, label, kind, scope, defaults, variables }) => {
    const { missing } = checkRequired(variables, values)
    if (missing.length > 0) return []
    const set = Object.entries(variables).filter(([name]) => values[name] !== undefined)
    const keys: Keys = Object.fromEntries(set.map(([name, { key }]) => [key, values[name] ?? '']))
    const { client_id = '' } = keys
    const source = kind === 'generic' ? ({ claims_source: 'auto' } as const) : {}
    return [{ id, label, scope, ...defaults, ...keys, ...source, client_id, provider: kind }]
  })
}

export function findIncompleteProviders(values: ProviderValues): MissingSetting[] {
  return records.flatMap(({ variables }) => {
    const { missing, present } = checkRequired(variables, values)
    const names = missing.join(', ')
    if (missing.length === 0 || present.length === 0) return []
    const verb = missing.length > 1 ? 'are' : 'is'
    const sentence = `${names} ${verb} missing although ${present.join(', ')} is set. Set all of them, or none.`
    return [[names, sentence] as const]
  })
}

/** The variable of a key. An id that is used twice is that of the only provider with a free one. */
export function providerVariable({ provider }: ProviderEntry, variableKind: string): string {
  const ownVariables = records.find(({ kind }) => kind === provider)?.variables ?? {}
  return Object.entries(ownVariables).find(([, { key }]) => key === variableKind)?.[0] ?? 'OIDC_ID'
}

function checkRequired(variables: ProviderRecord['variables'], values: ProviderValues) {
  const required = Object.entries(variables).flatMap(([name, { isOptional }]) => (isOptional ? [] : [name]))
  return {
    missing: required.filter((name) => values[name] === undefined),
    present: required.filter((name) => values[name] !== undefined),
  }
}

export function providerNames(demo_providers: OfferedProviders, providers: readonly ProviderEntry[]) {
  const all = [...demo_providers, ...providers].map(({ id, label }) => [id, label] as const)
  return [...new Map(all)].map(([id, label]) => ({ id, label })).sort((a, b) => (a.id < b.id ? -1 : 1))
}

export function offeredProviders(
  providers: readonly ProviderEntry[],
  demos: readonly DemoClient[] = [],
): ProviderEntry[] {
  const missing = demos.filter(({ id }) => !providers.some((one) => one.id === id))
  const standIns = missing.map(
    ({ issuer, ...client }): ProviderEntry => ({
      ...client,
      provider: 'generic',
      scope: OPENID,
      issuer_url: issuer,
    }),
  )
  return [...providers, ...standIns].sort((a, b) => (a.id < b.id ? -1 : 1))
}

function plainRecord(
  kind: ProviderRecord['kind'],
  label: string,
  scope: string[],
  description: string,
): ProviderRecord {
  return { id: kind, label, kind, scope, variables: client(kind.toUpperCase(), description) }
}

function client(prefix: string, description: string): Record<string, Variable> {
  return {
    [`${prefix}_CLIENT_ID`]: { key: 'client_id', value: text(description) },
    [`${prefix}_CLIENT_SECRET`]: { key: 'client_secret', value: text('its secret') },
  }
}

function text(description: string) {
  return z.string().optional().describe(description)
}

/** Some hosts store a variable in one line, with `\n` as two characters. */
function privateKey() {
  return z
    .string()
    .transform((value, issues) => {
      if (value.startsWith('-----BEGIN')) return value.replaceAll('\\n', '\n')
      try {
        return readFileSync(value, 'utf8')
      } catch {
        issues.addIssue('must be the key that Apple lets you download, or the path of its file')
        return z.NEVER
      }
    })
    .optional()
    .describe('the key in PEM, or the path of its .p8 file')
}
