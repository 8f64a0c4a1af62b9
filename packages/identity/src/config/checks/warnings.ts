import { disabledLimits } from '../limits.ts'
import type { ParsedConfig } from '../schema.ts'
import { isOriginPattern } from '../values.ts'

/** RFC 9106, 3.1: 8 KB for each of up to eight lanes. */
export const LEAST_MEMORY = 64 * 1024

/** Six digits are few: a longer `code.config.lifespan` is shortened to this, in milliseconds (SEC-05). */
export const LONGEST_CODE = 15 * 60_000

type SchemaEntry = ParsedConfig['identity']['schemas'][number]

/** Of schemas with the same id the first is used. */
export function isFirstOfItsId({ id }: SchemaEntry, index: number, all: readonly SchemaEntry[]): boolean {
  return all.findIndex((other) => other.id === id) === index
}

/** Problems that the service can run with. */
export function warningsOf(parsed: ParsedConfig): string[] {
  return [
    ...secretWarnings(parsed),
    ...enforcementWarnings(parsed),
    ...hasherWarnings(parsed),
    ...schemaWarnings(parsed),
    ...originWarnings(parsed),
    ...proxyWarnings(parsed),
    ...channelWarnings(parsed),
    ...disabledLimits(parsed.limits).map((path) => `${path} is off: attempts are not limited`),
    ...codeWarnings(parsed),
  ]
}

function secretWarnings({ dev, secrets }: ParsedConfig): string[] {
  if (!dev || secrets.default.length > 0) return []
  return [
    'secrets.default is not set: a random secret is used, and data encrypted with it cannot be read after a restart',
  ]
}

function enforcementWarnings({ dev, dev_disable_api_flow_enforcement }: ParsedConfig): string[] {
  if (!dev_disable_api_flow_enforcement) return []
  const effect = dev
    ? 'native flows accept requests from web pages without CSRF protection: for automated tests only'
    : 'ignored without dev'
  return [`DEV_DISABLE_API_FLOW_ENFORCEMENT: ${effect}`]
}

function hasherWarnings({ hashers }: ParsedConfig): string[] {
  const { memory } = hashers.argon2
  if (memory >= LEAST_MEMORY) return []
  return [`hashers.argon2.memory: ${memory}B is less than Argon2 needs: 64KB is used instead`]
}

function schemaWarnings({ identity }: ParsedConfig): string[] {
  return identity.schemas
    .filter((...entry) => !isFirstOfItsId(...entry))
    .map(({ id }) => `identity.schemas: the id ${id} is duplicated: the first schema is used`)
}

function originWarnings({ serve }: ParsedConfig): string[] {
  const { enabled, allowed_origins } = serve.public.cors
  const useless = enabled ? allowed_origins.filter((entry) => !isOriginPattern(entry)) : []
  if (useless.length === 0) return []
  const advice = 'name each as https://my-app.example or https://*.my-app.example'
  return [`serve.public.cors.allowed_origins: ${useless.join(', ')} allows no origin: ${advice}`]
}

function proxyWarnings({ dev, serve }: ParsedConfig): string[] {
  if (dev || serve.public.trusted_proxies !== undefined) return []
  const effect = 'without it X-Forwarded-For is ignored, and behind a proxy all users count as one client'
  const advice = 'set the number of proxies in front of the service, their networks, or 0'
  return [`serve.public.trusted_proxies is not set: ${effect}; ${advice}`]
}

function codeWarnings({ selfservice }: ParsedConfig): string[] {
  if (selfservice.methods.code.config.lifespan <= LONGEST_CODE) return []
  return ['selfservice.methods.code.config.lifespan: limited to 15m, because a code has only six digits']
}

/** Without an SMTP server emails stay in the app's message queue. */
function channelWarnings({ courier, identity }: ParsedConfig): string[] {
  const leaves = courier.smtp.connection_uri !== undefined || courier.delivery_strategy === 'http'
  if (!leaves || courier.channels.length > 0) return []
  return identity.schemas
    .filter(({ schema }) => /"via":"sms"/.test(JSON.stringify(schema ?? {})))
    .map(
      ({ id }) =>
        `courier.channels has no channel for sms: codes to phone numbers of the schema ${id} cannot be sent`,
    )
}
