import { liftedLimits } from '../limits.ts'
import type { ParsedProvider } from '../providers.ts'
import type { ParsedConfig } from '../schema.ts'
import { LEAST_BCRYPT_COST } from '../service.ts'
import { isOriginPattern } from '../values.ts'

/** RFC 9106, 3.1: 8 KB for each of eight lanes. */
export const LEAST_MEMORY = 64 * 1024

/** Maximum lifespan of codes, because six digits can be guessed (SEC-05). */
export const LONGEST_CODE = 15 * 60_000

type SchemaEntry = ParsedConfig['identity']['schemas'][number]

export function isFirstOfItsId({ id }: SchemaEntry, index: number, all: readonly SchemaEntry[]): boolean {
  return all.findIndex((other) => other.id === id) === index
}

/** Like Kratos' open edition, which has no organizations. */
export function isOffered({ organization_id }: ParsedProvider): boolean {
  return !organization_id
}

export function warningsOf(parsed: ParsedConfig): string[] {
  return [
    ...secretWarnings(parsed),
    ...enforcementWarnings(parsed),
    ...hasherWarnings(parsed),
    ...schemaWarnings(parsed),
    ...originWarnings(parsed),
    ...proxyWarnings(parsed),
    ...channelWarnings(parsed),
    ...liftedLimits(parsed.limits),
    ...codeWarnings(parsed),
    ...providerWarnings(parsed),
    ...hookWarnings(parsed),
  ]
}

function secretWarnings({ dev, secrets }: ParsedConfig): string[] {
  if (!dev || secrets.default.length > 0) return []
  return ['secrets.default is not set: using a random secret. Data encrypted with it is lost after a restart']
}

function enforcementWarnings({ dev, dev_disable_api_flow_enforcement }: ParsedConfig): string[] {
  if (!dev_disable_api_flow_enforcement) return []
  const effect = dev
    ? 'native flows accept requests from web pages without CSRF protection. Use it for automated tests only'
    : 'ignored outside dev mode'
  return [`DEV_DISABLE_API_FLOW_ENFORCEMENT: ${effect}`]
}

function hasherWarnings({ dev, hashers }: ParsedConfig): string[] {
  const { memory } = hashers.argon2
  const { cost } = hashers.bcrypt
  return [
    ...(memory < LEAST_MEMORY
      ? [`hashers.argon2.memory: ${memory}B is less than Argon2 needs. Using 64KB instead`]
      : []),
    ...(!dev && cost < LEAST_BCRYPT_COST
      ? [`hashers.bcrypt.cost: ${cost} is for dev mode. Using ${LEAST_BCRYPT_COST} instead`]
      : []),
  ]
}

function schemaWarnings({ identity }: ParsedConfig): string[] {
  return identity.schemas
    .filter((...entry) => !isFirstOfItsId(...entry))
    .map(({ id }) => `identity.schemas: the id ${id} is duplicated. Using the first schema`)
}

function originWarnings({ serve }: ParsedConfig): string[] {
  const { enabled, allowed_origins } = serve.public.cors
  const useless = enabled ? allowed_origins.filter((entry) => !isOriginPattern(entry)) : []
  if (useless.length === 0) return []
  const advice = 'Write origins as https://app.example or https://*.app.example'
  return [`serve.public.cors.allowed_origins: ${useless.join(', ')} allows no origin. ${advice}`]
}

function proxyWarnings({ dev, serve }: ParsedConfig): string[] {
  if (dev || serve.public.trusted_proxies !== undefined) return []
  const effect = 'the header X-Forwarded-For is ignored, and behind a proxy all users count as one client'
  const advice = 'Set the number of proxies in front of the service, their networks, or 0'
  return [`serve.public.trusted_proxies is not set: ${effect}. ${advice}`]
}

function codeWarnings({ selfservice }: ParsedConfig): string[] {
  if (selfservice.methods.code.config.lifespan <= LONGEST_CODE) return []
  return ['selfservice.methods.code.config.lifespan: using 15m, because a code has only six digits']
}

function providerWarnings({ selfservice }: ParsedConfig): string[] {
  const reason =
    'is not offered: this service has no organizations. Remove organization_id to offer it to everyone'
  return selfservice.methods.oidc.config.providers
    .filter((one) => !isOffered(one))
    .map(({ id }) => `selfservice.methods.oidc.config.providers: ${id} ${reason}`)
}

function channelWarnings({ courier, identity }: ParsedConfig): string[] {
  const sendsEmail = courier.smtp.connection_uri !== undefined || courier.delivery_strategy === 'http'
  if (!sendsEmail || courier.channels.length > 0) return []
  return identity.schemas
    .filter(({ schema }) => /"via":"sms"/.test(JSON.stringify(schema ?? {})))
    .map(
      ({ id }) =>
        `courier.channels has no channel for sms. Add one to send codes to the phone numbers of the schema ${id}`,
    )
}

type Hook = Pick<ParsedConfig['selfservice']['flows']['login']['after']['hooks'][number], 'config'>

/** Kratos compatibility: hooks of a method replace general ones, also those that could refuse. */
function hookWarnings({ selfservice: { flows } }: ParsedConfig): string[] {
  const mayStop = ({ config }: Hook) => config?.can_interrupt || config?.response.parse
  return (['login', 'registration', 'settings'] as const).flatMap((kind) => {
    const { hooks: general, default_browser_return_url: _, ...methods } = flows[kind].after
    const replaces = (hooks: readonly Hook[]) => (kind === 'login' ? hooks.length > 0 : hooks.some(mayStop))
    const names = Object.entries(methods).flatMap(([name, methodConfig]) =>
      methodConfig && replaces(methodConfig.hooks) ? [name] : [],
    )
    if (!general.some(mayStop) || names.length === 0) return []
    const why = `not called after ${names.join(', ')}, whose hooks replace it`
    const advice = 'Repeat it there, if it should be called'
    return [`selfservice.flows.${kind}.after.hooks: the interrupting web hook is ${why}. ${advice}`]
  })
}
