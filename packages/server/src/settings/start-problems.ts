import { isDeepStrictEqual } from 'node:util'
import { type ConfigIssue, inspectSettings } from '@ostiary/identity/serving'
import type { DemoClient } from '../product/demo.ts'
import type { Product } from '../product/product.ts'
import type { Settings } from './env.ts'
import { changeDefaults, identityConfig, identityDefaults } from './identity.config.ts'
import { type ProviderEntry, providerVariable } from './providers.ts'

/** The variable that the operator can change, by the path of the identity service's setting. The first match counts. */
const SOURCES: readonly (readonly [path: string, source: string])[] = [
  ['dsn', 'DATABASE_URL'],
  ['secrets', 'SECRETS'],
  ['limits', 'LIMITS'],
  ['serve.public.base_url', 'PUBLIC_URL'],
  ['serve.public.trusted_proxies', 'TRUSTED_PROXIES'],
  ['serve.public.cors.allowed_origins', 'CORS_ORIGINS'],
  ['serve.admin.host', 'ADMIN_HOST'],
  ['serve.admin.port', 'ADMIN_PORT'],
  ['serve.admin.tokens', 'ADMIN_TOKENS'],
  ['serve.admin.token', 'ADMIN_TOKEN'],
  ['session.idle_timeout', 'SESSION_IDLE_TIMEOUT'],
  ['retention.unverified_accounts', 'UNVERIFIED_ACCOUNTS'],
  ['courier.smtp.connection_uri', 'SMTP_URL'],
  ['courier.smtp.from_address', 'MAIL_FROM'],
  ['courier.smtp.from_name', 'name in app.config.ts'],
  ['courier.font', 'theme.font in app.config.ts'],
  ['session.whoami.tokenizer.templates', 'tokenTemplate in app.config.ts'],
  ['identity.schemas', 'traits in app.config.ts'],
  ['selfservice.methods', 'methods in app.config.ts'],
  ['selfservice', 'PUBLIC_URL'],
]

/** Builds the configuration of the identity service as the start does. */
export async function findStartProblems(
  product: Product,
  settings: Settings,
  secrets: readonly string[],
): Promise<string[]> {
  if (settings.identity_url !== undefined) return []
  const { issues } = await inspectSettings(identityConfig(product, settings, secrets), product.kratos)
  return explainIssues(issues, product, settings)
}

/** A line for each: the variable, the problem and the remedy. */
export function explainIssues(
  issues: readonly ConfigIssue[],
  product: Product,
  settings: Settings,
  demos?: readonly DemoClient[],
): string[] {
  const defaults = identityDefaults(product.config, settings, demos)
  const changed = changeDefaults(product, defaults, settings)
  const { providers } = defaults.selfservice.methods.oidc.config
  return issues.map((issue) => {
    const isDefault = isDeepStrictEqual(valueAt(defaults, issue.path), valueAt(changed, issue.path))
    return isDefault ? explainIssue(issue, providers) : `identity in app/server.ts: ${lineOf(issue)}`
  })
}

function valueAt(config: object, path: string): unknown {
  const keys = path.split(/[.[\]]+/).filter(Boolean)
  return keys.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], config)
}

function lineOf({ path, message }: ConfigIssue): string {
  return `${path}${/^is /.test(message) ? ' ' : ': '}${message}${/[.?!]$/.test(message) ? '' : '.'}`
}

function explainIssue({ path, message }: ConfigIssue, providers: readonly ProviderEntry[]): string {
  const [setting, source] = providerSource(path, providers) ??
    SOURCES.find(([setting]) => isAt(path, setting)) ?? [path, path]
  const inside = path.slice(setting.length).replace(/^\./, '')
  const where = [source, ...(inside === '' ? [] : [inside])].join(': ')
  return lineOf({ path: where, message: message.replaceAll(`${setting}.`, '') })
}

function isAt(path: string, setting: string): boolean {
  return path === setting || path.startsWith(`${setting}.`) || path.startsWith(`${setting}[`)
}

const PROVIDER = /^selfservice\.methods\.oidc\.config\.providers\[(\d+)\]\.(\w+)/

function providerSource(path: string, providers: readonly ProviderEntry[]) {
  const [setting, index, key] = PROVIDER.exec(path) ?? []
  const provider = providers[Number(index)]
  if (setting === undefined || provider === undefined) return undefined
  return [setting, providerVariable(provider, key ?? '')] as const
}
