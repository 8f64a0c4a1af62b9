import type { IdentityConfigInput, IdentityDependencies } from '../../src/index.ts'
import { merge as mergeMembers } from '../../src/input/json.ts'
import type { TestIdentity as PublishedIdentity } from '../../src/testing/test-identity.ts'
import { createTestIdentity as createPublished } from '../../src/testing/test-identity.ts'
import { atEnd, newDsn } from './databases.ts'
import { migratedImage } from './sqlite-image.ts'

export const PUBLIC = 'http://identity.test'
const SCREENS = 'http://app.test'

export const userSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    traits: {
      type: 'object',
      properties: {
        email: {
          type: 'string',
          format: 'email',
          title: 'E-Mail',
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
        name: { type: 'string', title: 'Name', maxLength: 100 },
      },
      required: ['email'],
      additionalProperties: false,
    },
  },
}

export type Merge = { readonly [name: string]: unknown }

const STANDARD: Omit<IdentityConfigInput, 'dsn'> = {
  serve: { public: { base_url: `${PUBLIC}/` } },
  secrets: { default: ['a secret of the tests, long enough to be one'] },
  selfservice: {
    default_browser_return_url: `${SCREENS}/`,
    allowed_return_urls: [`${SCREENS}/`],
    texts: 'own',
    methods: { password: { config: { min_password_length: 6, haveibeenpwned_enabled: false } } },
    flows: {
      error: { ui_url: `${SCREENS}/error` },
      login: { ui_url: `${SCREENS}/login`, lifespan: '10m' },
      registration: {
        ui_url: `${SCREENS}/register`,
        lifespan: '10m',
        style: 'unified',
        after: { password: { hooks: [{ hook: 'session' }, { hook: 'show_verification_ui' }] } },
      },
      verification: { enabled: true, ui_url: `${SCREENS}/verify`, lifespan: '15m' },
      recovery: { enabled: true, ui_url: `${SCREENS}/recovery`, lifespan: '15m' },
      settings: { ui_url: `${SCREENS}/settings`, lifespan: '1h', privileged_session_max_age: '15m' },
    },
  },
  identity: { schemas: [{ id: 'default', schema: userSchema }] },
}

/** Matches the product: a registration creates no session until the address is verified. */
export const VERIFIED_ONLY = {
  selfservice: {
    flows: {
      login: { after: { hooks: [{ hook: 'require_verified_address' }] } },
      registration: { after: { password: { hooks: [{ hook: 'show_verification_ui' }] } } },
    },
  },
}

const NONE = { own: 'off', allowance: 'off' }
export const SHARED_LIMITS = {
  password: NONE,
  code: NONE,
  mail: NONE,
  registration: { allowance: 'off' },
  flow: { own: 'off' },
  provider: { own: 'off' },
}

export interface TestIdentity extends PublishedIdentity {
  readonly logged: string[]
}

/**
 * Merges Kratos' keys over the kit's own. Lists replace lists. Uses a new database of the running test's
 * dialect, or a `dsn` from `newDsn({ shared: true })` for replicas.
 */
export async function createTestIdentity(
  overrides: Merge = {},
  parts: Partial<IdentityDependencies> = {},
): Promise<TestIdentity> {
  const logged: string[] = []
  const write = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`)
  const log = { debug: write, info: write, warn: write, error: write }
  const config = { ...standard(overrides), dsn: overrides.dsn ?? (await newDsn()) } as IdentityConfigInput
  const image = await migratedImage()
  const identity = await createPublished(config, { defaults: 'kratos', log, image, ...parts })
  atEnd(() => identity.stop())
  return { ...identity, logged }
}

export function standard(overrides: Merge): Merge {
  return merge(STANDARD as Merge, overrides)
}

export function merge(below: Merge, above: Merge): Merge {
  return mergeMembers(below, above) as Merge
}
