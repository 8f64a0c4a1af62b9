import type { z } from 'zod'
import { isObject } from '../../input/json.ts'
import { pathOf } from './config-error.ts'

/** Unsupported Ory Kratos keys, with values that need no warning. `*` matches one step. */
const NOT_SUPPORTED: readonly (readonly [path: string, ...harmless: readonly unknown[]])[] = [
  ['tracing'],
  ['profiling'],
  ['preview'],
  ['database'],
  ['organizations', []],
  ['enterprise'],
  ['oauth2_provider'],
  ['expose-metrics-port', 0],
  ['serve.*.socket'],
  ['serve.*.request_log'],
  ['serve.public.cors.options_passthrough', false],
  ['serve.public.cors.debug', false],
  ['clients.smtp'],
  ['log.leak_sensitive_values', false],
  ['log.redaction_text'],
  ['security.disallow_ref_in_identity_schemas', false],
  ['hashers.algorithm', 'argon2'],
  ['hashers.bcrypt'],
  ['hashers.argon2.expected_duration'],
  ['hashers.argon2.expected_deviation'],
  ['hashers.argon2.dedicated_memory'],
  ['courier.template_override_path'],
  ['courier.smtp.client_cert_path', ''],
  ['courier.smtp.client_key_path', ''],
  ['feature_flags.legacy_continue_with_verification_ui', false],
  ['feature_flags.password_profile_registration_node_group', 'default'],
  ['feature_flags.legacy_oidc_registration_node_group', false],
  ['feature_flags.legacy_allow_insecure_origins', false],
  ['feature_flags.refresh_login_choose_address', false],
  ['selfservice.methods.b2b'],
  ['selfservice.methods.password.config.migrate_hook'],
  ['selfservice.flows.logout.clear_browser_data', false],
]

const HOOKS_NOT_SUPPORTED = ['b2b_sso', 'notify_previous_addresses']

/** Kratos' flags and annotations. */
const WITHOUT_MEANING = ['version', '$schema', 'sqa-opt-out', 'watch-courier']

type Node = Record<PropertyKey, unknown>

/** Removes unsupported keys, so that the rest can be parsed strictly. Returns a warning for each. */
export function dropNotSupported(input: unknown): { input: unknown; warnings: string[] } {
  if (!isObject(input)) return { input, warnings: [] }
  const copy = withoutHooks(copyOf(input))
  const warnings = copy.warnings
  for (const key of WITHOUT_MEANING) delete copy.node[key]
  for (const [path, ...harmless] of NOT_SUPPORTED) {
    for (const [found, value] of take(copy.node, path.split('.'), '')) {
      if (!harmless.some((one) => isSame(one, value))) warnings.push(sentence(found, value))
    }
  }
  return { input: copy.node, warnings }
}

export const notSupportedPaths: readonly string[] = NOT_SUPPORTED.map(([path]) => path)

function sentence(path: string, value: unknown): string {
  const shown = typeof value === 'string' || typeof value === 'boolean' ? ` (${value})` : ''
  const instead = path === 'tracing' ? '. Set OTEL_EXPORTER_OTLP_ENDPOINT in the environment instead' : ''
  return `${path}${shown} ignored: this service does not support it${instead}`
}

function take(node: unknown, steps: readonly string[], above: string): [path: string, value: unknown][] {
  const [step, ...rest] = steps
  if (!isObject(node) || step === undefined) return []
  const names = step === '*' ? Object.keys(node) : [step]
  return names
    .filter((name) => node[name] !== undefined)
    .flatMap((name) => {
      const path = above === '' ? name : `${above}.${name}`
      if (rest.length > 0) return take(node[name], rest, path)
      const value = node[name]
      delete node[name]
      return [[path, value] as [string, unknown]]
    })
}

function withoutHooks(node: Node): { node: Node; warnings: string[] } {
  const names = new Map<string, string>()
  const visit = (value: unknown, path: string): unknown => {
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const here = `${path}.${name}`
        if (name !== 'hooks' || !Array.isArray(member)) return [name, visit(member, here)]
        for (const { hook } of member.filter(isNotSupported)) names.set(here, hook)
        return [name, member.filter((hook) => !isNotSupported(hook))]
      }),
    )
  }
  const selfservice = isObject(node.selfservice) ? node.selfservice : undefined
  if (!selfservice) return { node, warnings: [] }
  const flows = visit(selfservice.flows, 'selfservice.flows')
  const warnings = [...names].map(([path, hook]) => sentence(path, hook))
  return {
    node: { ...node, selfservice: { ...selfservice, flows } },
    warnings,
  }
}

function isNotSupported(hook: unknown): hook is { readonly hook: string } {
  return isObject(hook) && typeof hook.hook === 'string' && HOOKS_NOT_SUPPORTED.includes(hook.hook)
}

function copyOf(node: Node): Node {
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, isObject(value) ? copyOf(value) : value]),
  )
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
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
