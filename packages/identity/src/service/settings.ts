import type { ConfigIssue } from '../config/checks/config-error.ts'
import { ConfigError } from '../config/checks/config-error.ts'
import type { Difference } from '../config/checks/differences.ts'
import { differencesOf } from '../config/checks/differences.ts'
import type { IgnoredKey } from '../config/checks/ignored-keys.ts'
import type { Config } from '../config/config.ts'
import { inspectConfig, parseConfig } from '../config/config.ts'
import type { IdentityConfigInput } from '../config/schema.ts'
import { loadSources } from '../config/sources/sources.ts'
import { loadSmtp } from '../courier/senders/smtp.ts'
import { checkTemplates } from '../courier/templates/own-templates.ts'
import { compileSchemas } from '../identities/schema/schema.ts'
import { loadPhoneNumbers } from '../input/phone-number.ts'
import { resolveSources, sourceFetch } from '../outgoing/guarded-fetch.ts'

interface Outside {
  readonly warn: (sentence: string) => void
  readonly fetch?: typeof fetch | undefined
}

export function settingsReader({ warn, fetch }: Outside): (input: IdentityConfigInput) => Promise<Config> {
  const said = new Set<string>()
  return async (input) => {
    const { config, warnings } = parseConfig(await resolveSources(input, fetch))
    await checkTemplates(config)
    if (mentionsPhones(config)) await loadPhoneNumbers()
    if (config.courier.smtp.connection_uri !== undefined) await loadSmtp()
    for (const warning of warnings.filter((one) => !said.has(one))) warn(warning)
    for (const warning of warnings) said.add(warning)
    return config
  }
}

function mentionsPhones({ identity }: Config): boolean {
  return /"(sms|tel)"/.test(JSON.stringify(identity.schemas))
}

export interface Comparison {
  /** These prevent the start. */
  readonly issues: readonly ConfigIssue[]
  readonly ignored: readonly IgnoredKey[]
  readonly differences: readonly Difference[]
}

/** Reads an Ory Kratos configuration without starting the service. */
export async function compareWithKratos(input: IdentityConfigInput): Promise<Comparison> {
  const { loaded, parsed, issues, ignored } = await inspectLoaded(input)
  return { issues, ignored, differences: parsed ? await differencesOf(parsed, loaded) : [] }
}

/** The problems that prevent a start with this configuration, apart from the database. */
export async function findConfigIssues(input: IdentityConfigInput): Promise<readonly ConfigIssue[]> {
  return (await inspectLoaded(input)).issues
}

async function inspectLoaded(input: IdentityConfigInput) {
  const { loaded, issues: missing } = await loadSources(input, sourceFetch(input))
  const { parsed, issues: invalid, ignored } = inspectConfig(loaded)
  const isNew = ({ path }: ConfigIssue) => !missing.some((other) => other.path.startsWith(path))
  const found = [...missing, ...invalid.filter(isNew)]
  const issues = found.length === 0 ? await issuesOfContents(loaded) : found
  return { loaded, parsed, ignored, issues }
}

async function issuesOfContents(input: IdentityConfigInput): Promise<readonly ConfigIssue[]> {
  const { config } = parseConfig(input)
  const { schemas, default_schema_id } = config.identity
  const checks = [() => checkTemplates(config), async () => compileSchemas(schemas, default_schema_id)]
  const found = await Promise.all(checks.map((check) => check().then(() => [], issuesOfError)))
  return found.flat()
}

function issuesOfError(error: unknown): readonly ConfigIssue[] {
  if (error instanceof ConfigError) return error.issues
  throw error
}
