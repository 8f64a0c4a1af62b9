import type { Config } from '../config/config.ts'
import { parseConfig } from '../config/config.ts'
import type { IdentityConfigInput } from '../config/schema.ts'
import { loadSmtp } from '../courier/senders/smtp.ts'
import { checkTemplates } from '../courier/templates/own-templates.ts'
import { loadPhoneNumbers } from '../identities/schema/formats.ts'
import { resolveSources } from '../outgoing/resolve-sources.ts'

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
