import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { isObject } from '../../input/json.ts'
import { pathOf } from './config-error.ts'

interface NotSupported {
  /** `*` matches one step. */
  readonly path: string
  /** Values that ask for what this service does anyway. */
  readonly harmless?: readonly unknown[]
  readonly instead?: string
}

const PROVIDERS = 'selfservice.methods.oidc.config.providers'

const UNNOTICED_BY_CLIENTS: readonly NotSupported[] = [
  { path: 'tracing', instead: 'Set OTEL_EXPORTER_OTLP_ENDPOINT in the environment instead' },
  { path: 'profiling' },
  { path: 'preview' },
  { path: 'database', instead: 'The service cleans up by itself; `retention` has the periods' },
  { path: 'expose-metrics-port', harmless: [0] },
  { path: 'serve.*.socket.owner', harmless: [''] },
  { path: 'serve.*.socket.group', harmless: [''] },
  { path: 'serve.*.request_log' },
  { path: 'serve.public.cors.debug', harmless: [false] },
  { path: 'clients.smtp' },
  { path: 'log.leak_sensitive_values', harmless: [false] },
  { path: 'log.redaction_text' },
  { path: 'security.disallow_ref_in_identity_schemas', harmless: [false] },
  { path: 'hashers.argon2.expected_duration' },
  { path: 'hashers.argon2.expected_deviation' },
  { path: 'hashers.argon2.dedicated_memory' },
  // These two are for Ory Network.
  { path: `${PROVIDERS}.*.account_linking_mode`, harmless: ['confirm_with_existing_credential'] },
  { path: `${PROVIDERS}.*.net_id_token_origin_header` },
]

const NOTICED_BY_CLIENTS: readonly NotSupported[] = [
  { path: 'organizations', harmless: [[]] },
  { path: 'enterprise' },
  { path: 'serve.public.cors.options_passthrough', harmless: [false] },
  { path: 'courier.smtp.client_cert_path', harmless: [''] },
  { path: 'courier.smtp.client_key_path', harmless: [''] },
  // Ory Kratos v26.2.0 accepts both and reads another key.
  { path: 'feature_flags.password_profile_registration_node_group', harmless: ['default', 'password'] },
  { path: 'feature_flags.legacy_allow_insecure_origins', harmless: [false] },
  { path: 'feature_flags.refresh_login_choose_address', harmless: [false] },
  { path: 'selfservice.methods.b2b' },
]

const NOT_SUPPORTED = [...NOTICED_BY_CLIENTS, ...UNNOTICED_BY_CLIENTS]

const HOOKS_NOT_SUPPORTED = new Map([
  ['b2b_sso', undefined],
  [
    'notify_previous_addresses',
    'Set security.notices.enabled: verified addresses then hear of a change, as of other changes of the account',
  ],
])

/** Kratos' flags and annotations. */
const WITHOUT_MEANING = ['$schema', 'sqa-opt-out', 'watch-courier']

type Node = Record<PropertyKey, unknown>

export interface IgnoredKey {
  readonly path: string
  readonly warning: string
  readonly isNoticedByClients: boolean
}

/** Removes unsupported keys, so that the rest can be parsed strictly. */
export function dropNotSupported(input: unknown): { input: unknown; ignored: IgnoredKey[] } {
  if (!isObject(input)) return { input, ignored: [] }
  const copy = copyOf(input)
  const { flows } = isObject(copy.selfservice) ? copy.selfservice : {}
  const ignored = takeHooks(flows, 'selfservice.flows')
  for (const key of WITHOUT_MEANING) delete copy[key]
  for (const key of NOT_SUPPORTED) {
    for (const [foundPath, value] of takeMembers(copy, key.path.split('.'), '')) {
      if (key.harmless?.some((one) => isDeepStrictEqual(one, value))) continue
      const isNoticedByClients = NOTICED_BY_CLIENTS.includes(key)
      ignored.push({ path: foundPath, warning: sentence(foundPath, value, key.instead), isNoticedByClients })
    }
  }
  return { input: copy, ignored }
}

export const notSupportedPaths: readonly string[] = NOT_SUPPORTED.map(({ path }) => path)

function sentence(path: string, value: unknown, instead?: string): string {
  const valueText = typeof value === 'string' || typeof value === 'boolean' ? ` (${value})` : ''
  const advice = instead === undefined ? '' : `. ${instead}`
  return `${path}${valueText} ignored: this service does not support it${advice}`
}

function takeMembers(
  node: unknown,
  steps: readonly string[],
  above: string,
): [path: string, value: unknown][] {
  const [step, ...rest] = steps
  if (Array.isArray(node) && step === '*')
    return node.flatMap((member, index) => takeMembers(member, rest, `${above}[${index}]`))
  if (!isObject(node) || step === undefined) return []
  const names = step === '*' ? Object.keys(node) : [step]
  return names
    .filter((name) => node[name] !== undefined)
    .flatMap((name) => {
      const path = above === '' ? name : `${above}.${name}`
      if (rest.length > 0) return takeMembers(node[name], rest, path)
      const value = node[name]
      delete node[name]
      return [[path, value] as [string, unknown]]
    })
}

/** Reports the last of a list. */
function takeHooks(node: unknown, above: string): IgnoredKey[] {
  if (!isObject(node)) return []
  return Object.entries(node).flatMap(([name, member]) => {
    const path = `${above}.${name}`
    if (name !== 'hooks' || !Array.isArray(member)) return takeHooks(member, path)
    node[name] = member.filter((hook) => !isNotSupported(hook))
    const { hook } = member.findLast(isNotSupported) ?? {}
    if (hook === undefined) return []
    const warning = sentence(path, hook, HOOKS_NOT_SUPPORTED.get(hook))
    return [{ path, warning, isNoticedByClients: true }]
  })
}

function isNotSupported(hook: unknown): hook is { readonly hook: string } {
  return isObject(hook) && typeof hook.hook === 'string' && HOOKS_NOT_SUPPORTED.has(hook.hook)
}

function copyOf(node: Node): Node {
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, copyOfValue(value)]))
}

function copyOfValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOfValue)
  return isObject(value) ? copyOf(value) : value
}

/** Where Ory Kratos accepts any key. */
const UNCHECKED =
  /^(security(\..*)?|clients(\..*)?|session\.whoami\.tokenizer|selfservice\.methods\.code|ciphers)$/

/** Removes unknown keys where Ory Kratos does not check them. Returns a warning for each. */
export function dropTolerated(input: unknown, error: z.ZodError): string[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys' || !UNCHECKED.test(pathOf(issue.path))) return []
    const node = issue.path.reduce<unknown>((node, step) => (node as Node)[step], input) as Node
    return issue.keys.map((key) => {
      delete node[key]
      return `${pathOf([...issue.path, key])}: unknown key, ignored`
    })
  })
}

/** Removes invalid values, and any list that contains one. */
export function withoutInvalid(input: unknown, error: z.ZodError): unknown {
  if (!isObject(input)) return input
  const copy = copyOf(input)
  for (const issue of error.issues) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined]
    for (const key of keys) remove(copy, key === undefined ? issue.path : [...issue.path, key])
  }
  return copy
}

function remove(node: Node, [step = '', ...rest]: readonly PropertyKey[]): void {
  const member = node[step]
  if (rest.length > 0 && isObject(member)) remove(member, rest)
  else delete node[step]
}
