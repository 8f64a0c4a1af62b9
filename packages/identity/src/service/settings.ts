import { ConfigError, type ConfigIssue } from '../config/checks/config-error.ts'
import type { IgnoredKey } from '../config/checks/ignored-keys.ts'
import { type Config, inspectConfig, parseConfig } from '../config/config.ts'
import type { IdentityConfigInput, ParsedConfig } from '../config/schema.ts'
import { type KratosFeatures, needsKratos } from '../config/sources/kratos-features.ts'
import { loadSources, type SourceTools } from '../config/sources/sources.ts'
import { loadSmtp } from '../courier/senders/smtp.ts'
import { checkTemplates } from '../courier/templates/own-templates.ts'
import { compileSchemas } from '../identities/schema/schema.ts'
import { loadPhoneNumbers } from '../input/phone-number.ts'
import { resolveSources, sourceFetch } from '../outgoing/guarded-fetch.ts'

export function settingsReader(
  warn: (sentence: string) => void,
  tools: Partial<SourceTools>,
): (input: IdentityConfigInput) => Promise<Config> {
  const reportedIssues = new Set<string>()
  return async (input) => {
    const { config, warnings } = parseConfig(await resolveSources(input, tools))
    checkTemplates(config)
    await loadTexts(config, tools.kratos)
    if (/"(sms|tel)"/.test(JSON.stringify(config.identity.schemas))) await loadPhoneNumbers()
    if (config.courier.smtp.connection_uri !== undefined) await loadSmtp()
    for (const warning of warnings.filter((one) => !reportedIssues.has(one))) warn(warning)
    for (const warning of warnings) reportedIssues.add(warning)
    return config
  }
}

export async function loadTexts({ selfservice }: Config, kratos: KratosFeatures | undefined) {
  if (selfservice.texts === 'own') return undefined
  if (kratos) return await kratos.loadTexts()
  const message = `${needsKratos('kratos, the default of Ory Kratos,')}; or set own`
  throw new ConfigError([{ path: 'selfservice.texts', message }])
}

export interface Inspection {
  /** With the contents of its files and addresses. */
  readonly loaded: IdentityConfigInput
  readonly parsed: ParsedConfig | undefined
  /** These prevent the start, apart from the database. */
  readonly issues: readonly ConfigIssue[]
  readonly ignored: readonly IgnoredKey[]
}

/** Reads a configuration without starting the service. */
export async function inspectSettings(
  input: IdentityConfigInput,
  kratos: KratosFeatures | undefined,
): Promise<Inspection> {
  const { loaded, issues: missing } = await loadSources(input, { fetch: sourceFetch(input), kratos })
  const { parsed, issues: invalid, ignored } = inspectConfig(loaded)
  const isNew = ({ path }: ConfigIssue) => !missing.some((other) => other.path.startsWith(path))
  const newIssues = [...missing, ...invalid.filter(isNew)]
  const issues = newIssues.length === 0 ? await issuesOfContents(loaded, kratos) : newIssues
  return { loaded, parsed, ignored, issues }
}

async function issuesOfContents(input: IdentityConfigInput, kratos: KratosFeatures | undefined) {
  const { config } = parseConfig(input)
  const { schemas, default_schema_id } = config.identity
  const checks = [
    async () => checkTemplates(config),
    async () => compileSchemas(schemas, default_schema_id),
    () => loadTexts(config, kratos),
  ]
  const issues = await Promise.all(checks.map((check) => check().then(() => [], issuesOfError)))
  return issues.flat()
}

function issuesOfError(error: unknown): readonly ConfigIssue[] {
  if (error instanceof ConfigError) return error.issues
  throw error
}
