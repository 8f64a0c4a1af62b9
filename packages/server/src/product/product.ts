import type {
  EmailTemplate,
  Extension,
  Hooks,
  IdentityConfigInput,
  KratosFeatures,
  ProductTools,
} from '@ostiary/identity'
import type { Catalogue } from '@ostiary/identity/serving'
import type { JsonObject } from '@ostiary/identity/wire'
import type { Log } from '@ostiary/identity-server/process'
import type { Hono } from 'hono'
import type { BlankEnv, Schema } from 'hono/types'
import type { BodyLimits } from '../http/body-limits.ts'
import type { SessionCheck } from '../session/session.ts'
import type { DemoModule, DemoSwitches } from './demo.ts'
import type { Jobs } from './jobs.ts'
import { type Plugin, withPlugins } from './plugins.ts'
import type { PolicyOption } from './policy.ts'
import type { OwnMetrics, OwnSettings, OwnTraits } from './register.ts'
import type { SettingDefinitions } from './settings.ts'

/** The facts about a product, in `app.config.ts`. */
export interface ProductConfig {
  readonly name: string
  /** A language tag (BCP 47), for emails too; default: `en`. */
  readonly language?: string
  /** `accent` is any CSS color. The pages have more looks than the emails. */
  readonly theme: { readonly accent: string; readonly darkAccent?: string; readonly font?: string }
  /** In characters. */
  readonly password: { readonly minLength: number }
  /** Besides the password. */
  readonly methods: Readonly<Record<'passkey' | 'totp' | 'lookup_secret', boolean>>
  /** Providers that the demo plays. */
  readonly demoProviders: readonly { readonly id: string; readonly label: string }[]
  /** The template of `user_jwt`. */
  readonly tokenTemplate: string
  /** Roles that operators give to users. */
  readonly roles: readonly string[]
  /** The page after a login; default: `/dashboard`. */
  readonly afterLogin?: string
  /** The name of the file in which users download their data. */
  readonly exportFile: string
  /** JSON Schema of an account, in the order of the forms. */
  readonly traits: Readonly<Record<string, JsonObject>>
  /** Registration asks for these. */
  readonly requiredTraits: readonly string[]
}

export interface Product extends Partial<Omit<Extension, 'on'>> {
  readonly config: ProductConfig
  readonly on?: Hooks<OwnTraits>
  /** Its environment variables, made by `defineSettings`. */
  readonly settings?: SettingDefinitions
  /** Its routes below `/api/v1`. */
  readonly api?: (tools: ApiTools) => Hono<BlankEnv, Schema, string>
  /** Other hosts in the content security policy of the pages. */
  readonly policy?: PolicyOption
  /** Larger bodies than 128 KB, by path. */
  readonly bodyLimits?: BodyLimits
  /** Changes the configuration of the embedded identity service. */
  readonly identity?: (defaults: IdentityDefaults, settings: OwnSettings) => IdentityDefaults
  /** From `@ostiary/kratos`, if `identity` adds Jsonnet or Go templates. */
  readonly kratos?: KratosFeatures
  /** Work by schedule, by name. */
  readonly jobs?: Jobs
  readonly emails?: readonly EmailTemplate<object>[]
  /** Its metrics, by name. */
  readonly metrics?: Catalogue
  /** Members that packages bring, in this order. Those of the product follow. */
  readonly plugins?: readonly Plugin[]
  /** Without an SMTP_URL, development starts as a demo. Loaded only then. */
  readonly demo?: () => Promise<DemoModule>
  /** Switches that the demo offers in addition. */
  readonly demoSwitches?: DemoSwitches
}

/** Database and secrets are settings of the operator. */
export type IdentityDefaults = Omit<IdentityConfigInput, 'dsn' | 'secrets'>

export interface ApiTools extends ProductTools {
  readonly settings: OwnSettings
  readonly session: SessionCheck
  readonly metrics: OwnMetrics
  readonly log: Log
  /** Traced, without trace headers for the other host. */
  readonly fetch: typeof fetch
  /** Undefined outside demo mode. */
  readonly demo: { value(name: string): string } | undefined
}

type Misspelled<P> = { readonly [Name in Exclude<keyof P, keyof Product>]: never }

/**
 * Checks the types of the product, and returns it with its plugins. Nothing starts.
 *
 * @example export default defineProduct({ config, settings: defineSettings({ MAPS_KEY: env.secret('key of the maps') }) })
 */
export function defineProduct<P extends Product>(product: P & Misspelled<P>): P {
  return withPlugins(product)
}

/**
 * Returns the metrics for `defineProduct`, by name (Prometheus conventions). Values of labels come from short lists.
 *
 * @example const metrics = defineMetrics({ links_added_total: { type: 'counter', labels: [], help: 'Links of all users' } })
 */
export function defineMetrics<const C extends Catalogue>(metrics: C): C {
  return metrics
}

/** The product's name in names of files. */
export function slugOf({ name }: Pick<ProductConfig, 'name'>): string {
  const words = name
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z\d]+/g, '-')
  return words.replaceAll(/^-|-$/g, '') || 'app'
}
