import { isAddress, isLoopback } from '../input/host.ts'
import { merge } from '../input/json.ts'
import type { JsonObject } from '../wire/identity.ts'
import { ConfigError } from './checks/config-error.ts'
import type { Config } from './config.ts'
import type { IdentityConfigInput } from './schema.ts'

/** Ory Kratos' configuration, every key optional. */
export interface IdentityOptions extends Partial<Omit<IdentityConfigInput, 'selfservice'>> {
  readonly selfservice?: Partial<IdentityConfigInput['selfservice']>
}

const LOCAL = 'http://localhost:3000/'

/** `kratos` leaves missing keys to the parser, which reports those that have no default. */
export function completeOptions(
  options: IdentityOptions,
  defaults: 'kratos' | undefined,
  environment = process.env.NODE_ENV,
): IdentityConfigInput {
  return defaults === 'kratos'
    ? (options as IdentityConfigInput)
    : withDefaults(options, environment === 'production')
}

/** Dev mode generates missing secrets for the current run. */
export function hasSecrets({ secrets }: IdentityConfigInput): boolean {
  return (secrets?.default?.length ?? 0) > 0
}

export function withOwnSecrets(input: IdentityConfigInput, { dev, secrets }: Config): IdentityConfigInput {
  if (!dev || !input.dev || hasSecrets(input)) return input
  return { ...input, secrets: { ...input.secrets, default: [...secrets.default] } }
}

/**
 * Fills missing keys for a new project: accounts with an email, a password, a passkey and codes.
 * Dev mode is the default on the loopback interface only, and never if NODE_ENV is production. Only dev mode
 * stores accounts in memory by default, because they are lost at exit.
 */
function withDefaults(options: IdentityOptions, production: boolean): IdentityConfigInput {
  const base_url = options.serve?.public?.base_url
  if (base_url === undefined && (production || options.dev === false)) throw missingError(options)
  const url = URL.canParse(base_url ?? LOCAL) ? new URL(base_url ?? LOCAL) : new URL(LOCAL)
  const home = options.selfservice?.default_browser_return_url ?? `${url.origin}/`
  const { dev = !production && isLoopback(url.hostname) } = options
  const defaults: IdentityOptions = {
    ...(dev && { dsn: 'memory' }),
    dev,
    serve: { public: { base_url: url.href } },
    courier: { smtp: { from_name: url.hostname } },
    // Without it, a native app that recovers an account is sent to a browser.
    feature_flags: { use_continue_with_transitions: true },
    identity: { schemas: [{ id: 'default', schema: emailSchema }] },
    selfservice: {
      default_browser_return_url: home,
      texts: 'own',
      methods: {
        code: { enabled: true, passwordless_enabled: true },
        passkey: passkeys(URL.canParse(home, url.href) ? new URL(home, url) : url),
      },
      flows: {
        registration: { style: 'unified', after: signsIn('password', 'passkey', 'code') },
        verification: { enabled: true },
        recovery: { enabled: true },
      },
    },
  }
  return merge(defaults, options) as IdentityConfigInput
}

function missingError({ dsn, secrets }: IdentityOptions): ConfigError {
  const base_url = { path: 'serve.public.base_url', message: 'is missing. Set the public URL of the service' }
  const database = { path: 'dsn', message: 'is missing. Set a file or postgres://…' }
  const secret = {
    path: 'secrets.default',
    message: 'is missing. Set a random text of at least 32 characters',
  }
  return new ConfigError([
    base_url,
    ...(dsn === undefined ? [database] : []),
    ...(secrets?.default?.length ? [] : [secret]),
  ])
}

const emailSchema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    traits: {
      type: 'object',
      properties: {
        email: {
          type: 'string',
          format: 'email',
          title: 'Email',
          maxLength: 320,
          'ory.sh/kratos': {
            credentials: {
              password: { identifier: true },
              code: { identifier: true, via: 'email' },
              passkey: { display_name: true },
            },
            verification: { via: 'email' },
            recovery: { via: 'email' },
          },
        },
      },
      required: ['email'],
      additionalProperties: false,
    },
  },
}

/** Passkeys are impossible for IP addresses. */
function passkeys({ hostname, origin }: URL) {
  if (isAddress(hostname)) return { enabled: false }
  return { enabled: true, config: { rp: { id: hostname, display_name: hostname, origins: [origin] } } }
}

function signsIn<Name extends string>(...methods: readonly Name[]) {
  const after = { hooks: [{ hook: 'session' as const }, { hook: 'show_verification_ui' as const }] }
  return Object.fromEntries(methods.map((method) => [method, after]))
}
