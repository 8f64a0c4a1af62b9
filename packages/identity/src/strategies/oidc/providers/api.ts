import type { z } from 'zod'
import { FormError } from '../../../errors/errors.ts'
import { messages } from '../../../ui/messages.ts'
import { readJson } from '../outgoing.ts'
import { unusable } from '../problems.ts'
import type { Fetch, Granted, ProviderConfig } from './provider.ts'
import { labelOf } from './provider.ts'

// Providers without ID tokens, whose API identifies the user.

/** Users may deny scopes on the provider's page. Throws `FormError`. */
export function assertScope(config: ProviderConfig, granted: Granted): void {
  const given = grantedScopes(granted)
  const missing = config.scope.filter((name) => !given.includes(name))
  if (missing.length === 0) return
  throw new FormError(
    messages.generic(
      `${labelOf(config)} was not allowed to share the required data (${missing.join(', ')}). Please try again.`,
    ),
  )
}

export function grantedScopes({ scope }: Granted): readonly string[] {
  return scope.split(/[\s,]+/).filter((name) => name !== '')
}

export function askApi(
  url: string,
  { access_token }: Granted,
  fetch: Fetch,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, {
    headers: { Accept: 'application/json', Authorization: `Bearer ${access_token}`, ...headers },
  })
}

/** Throws `ProtocolError` 502. */
export async function readApi<T>(
  config: ProviderConfig,
  name: string,
  response: Response,
  schema: z.ZodType<T>,
): Promise<T> {
  if (!response.ok) throw unusable(config, `${name} responded with ${response.status}`)
  const parsed = schema.safeParse(await readJson(config, response))
  if (!parsed.success) throw unusable(config, `${name} has an unexpected format`)
  return parsed.data
}
