import { z } from 'zod'
import type { Settings } from '../settings/env.ts'
import type { ProviderEntry } from '../settings/providers.ts'
import { broken, type Check, compareClocks, dateOf, type Finding, noAnswer, ok, probeUrl } from './finding.ts'

/** Each configured sign-in provider: its discovery document and the client's credentials. */
export const checkProviders: Check = async ({ settings, now }) => {
  const findings = settings.providers.map((provider) => checkProvider(provider, settings, now))
  return (await Promise.all(findings)).flat()
}

/** Discord and GitHub have none. */
function issuerOf({ provider, issuer_url, microsoft_tenant }: ProviderEntry): string | undefined {
  const issuers: Readonly<Record<string, string>> = {
    apple: 'https://appleid.apple.com',
    gitlab: 'https://gitlab.com',
    google: 'https://accounts.google.com',
    microsoft: `https://login.microsoftonline.com/${microsoft_tenant}/v2.0`,
    slack: 'https://slack.com',
  }
  return issuer_url ?? issuers[provider]
}

const metadata = z.object({ token_endpoint: z.url() })

async function checkProvider(
  provider: ProviderEntry,
  { public_url }: Settings,
  now: () => Date,
): Promise<Finding[]> {
  const { id, label } = provider
  const redirect = `redirect URL ${public_url}/.ory/self-service/methods/oidc/callback/${id}`
  const issuer = issuerOf(provider)
  if (issuer === undefined)
    return [ok(`${label} is not checked, because it publishes no OpenID configuration; ${redirect}`)]
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await probeUrl(new URL(url))
  if (response instanceof Error) return [broken(...noAnswer(label, response, `curl -i ${url}`))]
  const parsed = metadata.safeParse(await response.json().catch(() => undefined))
  if (!parsed.success)
    return [broken(`${label} is no OpenID Connect provider (status ${response.status}).`, `curl -i ${url}`)]
  return [
    ...((await refusesClient(parsed.data.token_endpoint, provider))
      ? [
          broken(
            `${label} does not know the client.`,
            'Compare its id and secret with the console of the provider.',
          ),
        ]
      : [ok(`${label} answers; ${redirect}`)]),
    ...compareClocks(label, dateOf(response), now()),
  ]
}

/** Redeems a code that cannot exist. A provider checks the client first (RFC 6749, 5.2). */
async function refusesClient(
  token_endpoint: string,
  { client_id, client_secret }: ProviderEntry,
): Promise<boolean> {
  if (client_secret === undefined) return false
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: 'doctor',
    redirect_uri: 'https://localhost/',
    client_id,
    client_secret,
  })
  const response = await probeUrl(new URL(token_endpoint), { method: 'POST', body })
  if (response instanceof Error) return false
  const { error } = ((await response.json().catch(() => undefined)) ?? {}) as { error?: unknown }
  return error === 'invalid_client'
}
