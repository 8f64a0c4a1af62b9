import { z } from 'zod'
import { httpUrl, onOff } from '../settings/env-values.ts'

/** An environment variable of a product, read at the start, also from the file that `NAME_FILE` names. */
export interface Setting<T> {
  readonly schema: z.ZodType
  /** Its value without the variable. */
  readonly fallback: T
  /** Pages read it as `readSettings().own.NAME`. */
  readonly isPublic: boolean
  readonly isRequired: boolean
}

/** By the name of the variable. */
export type SettingDefinitions = Readonly<Record<string, Setting<unknown>>>

export type SettingValues<S extends SettingDefinitions> = {
  readonly [Name in keyof S]: S[Name] extends Setting<infer T> ? T : never
}

interface Options<T> {
  readonly default?: T
  /** Production does not start without it. The default is for development. */
  readonly requiredInProduction?: boolean
}

interface TextOptions extends Options<string> {
  readonly matches?: RegExp
  /** Completes "NAME …" in the refusal, such as "must be a color". */
  readonly error?: string
}

interface NumberOptions extends Options<number> {
  readonly min?: number
  readonly max?: number
}

/** `description` is what `npm run help start` prints. */
interface Define<T, O extends Options<T>> {
  (description: string, options: O & { readonly default: T }): Setting<T>
  (description: string, options?: O): Setting<T | undefined>
}

function define<T, O extends Options<T>>(schemaOf: (options?: O) => z.ZodType, isPublic: boolean) {
  const setting = (description: string, options?: O): Setting<T | undefined> => ({
    schema: schemaOf(options).optional().describe(description),
    fallback: options?.default,
    isPublic,
    isRequired: options?.requiredInProduction === true,
  })
  return setting as Define<T, O>
}

const kinds = (isPublic: boolean) => ({
  text: define<string, TextOptions>(textSchema, isPublic),
  url: define<string, Options<string>>(() => httpUrl(), isPublic),
  number: define<number, NumberOptions>(numberSchema, isPublic),
  /** `on` or `off`. */
  flag: define<boolean, Options<boolean>>(() => onOff().transform((value) => value === 'on'), isPublic),
})

/**
 * Kinds of settings. Those of `env.public` reach the pages.
 *
 * @example
 * const settings = defineSettings({
 *   MAPS_KEY: env.public.text('key of the maps'),
 *   STRIPE_SECRET: env.secret('secret key at Stripe', { requiredInProduction: true }),
 * })
 */
export const env = {
  ...kinds(false),
  secret: define<string, TextOptions>(textSchema, false),
  public: kinds(true),
}

/**
 * Returns the settings for `defineProduct`.
 *
 * @example const settings = defineSettings({ MAPS_KEY: env.secret('key of the maps') })
 */
export function defineSettings<const S extends SettingDefinitions>(settings: S): S {
  return settings
}

function textSchema({ matches, error = 'is not valid' }: TextOptions = {}) {
  return matches ? z.string().regex(matches, { error }) : z.string()
}

function numberSchema({ min = -Infinity, max = Infinity }: NumberOptions = {}) {
  const error = 'must be a number'
  return z.coerce
    .number({ error })
    .min(min, { error: `must be at least ${min}` })
    .max(max, { error: `must be at most ${max}` })
}
