import type { Catalogue, Metrics } from '@ostiary/identity/serving'
import type { PublicSettings, SettingDefinitions, SettingValues } from './settings.ts'

/** A product declares its types here by declaration merging, as `app/register.d.ts` does. */
// biome-ignore lint/suspicious/noEmptyInterface: products add members
export interface Register {}

/** A role of `app.config.ts`. */
export type Role = Register extends { readonly config: { readonly roles: readonly (infer Name)[] } }
  ? Name & string
  : string

/** The traits of an account, from their schemas in `app.config.ts`. Older accounts may lack all but the email. */
export type OwnTraits = Register extends { readonly config: { readonly traits: infer Schemas } }
  ? {
      readonly [Name in keyof Schemas as Name extends 'email' ? never : Name]?: TraitValue<Schemas[Name]>
    } & {
      readonly [Name in keyof Schemas as Name extends 'email' ? Name : never]: string
    }
  : Readonly<Record<string, unknown>>

type TraitValue<Schema> = Schema extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { readonly type: 'string' }
    ? string
    : Schema extends { readonly type: 'boolean' }
      ? boolean
      : Schema extends { readonly type: 'number' | 'integer' }
        ? number
        : unknown

/** The values of the product's own settings. */
export type OwnSettings = Register extends { readonly settings: infer S extends SettingDefinitions }
  ? SettingValues<S>
  : Readonly<Record<string, unknown>>

/** Those that pages read. */
export type PublicValues = Register extends { readonly settings: infer S extends SettingDefinitions }
  ? SettingValues<PublicSettings<S>>
  : Readonly<Record<string, unknown>>

/** The product's own metrics. */
export type OwnMetrics = Metrics<
  Register extends { readonly metrics: infer C extends Catalogue } ? C : Catalogue
>

/** The routes of the product's own API, as `ExtractSchema` of Hono gives them. */
export type OwnApi = Register extends { readonly api: infer Schema } ? Schema : object
