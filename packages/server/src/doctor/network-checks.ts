import { checkMailServer } from '@ostiary/identity/operating'
import { isLoopback } from '@ostiary/identity/serving'
import { z } from 'zod'
import { loadKeySet } from '../session/user-jwt.ts'
import type { Settings } from '../settings/env.ts'
import type { ProviderEntry } from '../settings/providers.ts'
import type { Check, Finding } from './finding.ts'
import { broken, compareClocks, dateOf, noAnswer, ok, probeUrl, reasonOf, warning } from './finding.ts'

export const checkMail: Check = async ({ settings: { smtp_url } }) => {
  if (smtp_url === undefined) return []
  const { host } = new URL(smtp_url)
  const problem = await checkMailServer(smtp_url)
  if (problem === undefined) return [ok(`${host} accepts the connection and its credentials`)]
  return [broken(`SMTP_URL: ${host} failed (${problem}).`, 'Correct SMTP_URL.')]
}

export const checkPublicUrl: Check = async ({ settings: { public_url, port }, now }) => {
  const url = new URL('/health/alive', public_url)
  const response = await probeUrl(url)
  // The app itself may not run yet.
  const isDirect = isLoopback(url.hostname) && Number(url.port || 80) === port
  if (response instanceof Error)
    return isDirect
      ? []
      : [warning(...noAnswer(public_url, response, 'Start the app and its proxy, or correct PUBLIC_URL.'))]
  const body = (await response.json().catch(() => undefined)) as { status?: string } | undefined
  if (body?.status !== 'ok')
    return [
      broken(
        `${public_url} answers, but not as this app does.`,
        'Correct PUBLIC_URL, or the target of the proxy.',
      ),
    ]
  // On this machine, only a demo's clock differs, because a visitor moved it.
  const skew = isDirect ? [] : compareClocks(public_url, dateOf(response), now())
  return [ok(`${public_url} leads to this app`), ...skew]
}

/** Sends no spans. */
export const checkTraces: Check = async ({ settings: { tracing } }) => {
  if (!tracing) return []
  const { url, headers } = tracing
  const response = await probeUrl(new URL(url), {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [] }),
  })
  if (!(response instanceof Error) && response.ok) return [ok(`${url} accepts traces`)]
  const problem = response instanceof Error ? reasonOf(response) : `status ${response.status}`
  return [
    warning(
      `OTEL_EXPORTER_OTLP_ENDPOINT: ${url} accepts no traces (${problem}).`,
      'Start the collector, or correct OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS.',
    ),
  ]
}

export const checkIdentityElsewhere: Check = async ({ settings, now }) => {
  const { identity_url } = settings
  if (identity_url === undefined) return []
  const response = await probeUrl(new URL(`${identity_url}/sessions/whoami`))
  if (response instanceof Error)
    return [broken(...noAnswer('IDENTITY_URL', response, `curl -i ${identity_url}/sessions/whoami`))]
  const { host } = new URL(identity_url)
  if (response.status !== 401)
    return [
      broken(
        `IDENTITY_URL answers whoami with status ${response.status} instead of 401.`,
        'Set it to the public URL of the identity service.',
      ),
    ]
  return [
    ok(`${host} answers`),
    ...compareClocks(host, dateOf(response), now()),
    ...(await checkKeys(settings, identity_url)),
  ]
}

const keySet = z.object({ keys: z.array(z.object({ kty: z.string() })).min(1) })

async function checkKeys({ identity_jwks_url }: Settings, identity_url: string): Promise<Finding[]> {
  const url = identity_jwks_url ?? `${identity_url}/.well-known/jwks.json`
  const keys = await loadKeySet(new URL(url)).catch((error: unknown) => new Error(reasonOf(error)))
  if (keySet.safeParse(keys).success) return [ok(`${url} has the keys of user_jwt`)]
  const reason = keys instanceof Error ? keys.message : 'it contains no key set'
  return [broken(`The keys of user_jwt cannot be read from ${url} (${reason}).`, 'Set IDENTITY_JWKS_URL.')]
}

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
