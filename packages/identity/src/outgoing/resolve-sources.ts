import { ConfigError } from '../config/checks/config-error.ts'
import type { IdentityConfigInput } from '../config/schema.ts'
import { configSchema } from '../config/schema.ts'
import { loadSources } from '../config/sources/load-sources.ts'
import { guardedFetch } from './guarded-fetch.ts'

/** Loads everything that the configuration names by URL. Throws `ConfigError` with every problem. */
export async function resolveSources(
  input: IdentityConfigInput,
  fetch = sourceFetch(input),
): Promise<IdentityConfigInput> {
  const { loaded, issues } = await loadSources(input, fetch)
  if (issues.length > 0) throw new ConfigError(issues)
  return loaded
}

export function sourceFetch({ clients }: IdentityConfigInput): typeof fetch {
  const { data } = configSchema.shape.clients.safeParse(clients)
  return guardedFetch(data?.http ?? { disallow_private_ip_ranges: true, private_ip_exception_urls: [] })
}
