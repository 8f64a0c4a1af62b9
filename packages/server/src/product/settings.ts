import { z } from 'zod'
import { httpUrl, onOff } from '../settings/env-values.ts'

/** An environment variable of a product, read at the start, also from the file that `NAME_FILE` names. */
interface Setting<T, Public extends boolean = boolean> {
  readonly schema: z.ZodType
  /** Its value without the variable. */
  readonly fallback: T
  /** Pages read it as `readSettings().own.NAME`. */
  readonly isPublic: Public
  readonly isRequired: boolean
}

/** By the name of the variable. */
export type SettingDefinitions = Readonly<Record<string, Setting<unknown>>>

export type SettingValues<S extends SettingDefinitions> = {
  readonly [Name in keyof S]: S[Name] extends Setting<infer T> ? T : never
}

/** Those that reach the pages. */
export type PublicSettings<S extends SettingDefinitions> = {
  readonly [Name in keyof S as S[Name] extends Setting<unknown, true> ? Name : never]: S[Name]
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
interface Define<T, O extends Options<T>, Public extends boolean> {
  (description: string, options: O & { readonly default: T }): Setting<T, Public>
  (description: string, options?: O): Setting<T | undefined, Public>
}

function define<T, O extends Options<T>, Public extends boolean>(
  schemaOf: (options?: O) => z.ZodType,
  isPublic: Public,
) {
  const setting = (description: string, options?: O): Setting<T | undefined, Public> => ({
    schema: schemaOf(options).optional().describe(description),
    fallback: options?.default,
    isPublic,
    isRequired: options?.requiredInProduction === true,
  })
  return setting as Define<T, O, Public>
}

const kinds = <Public extends boolean>(isPublic: Public) => ({
  text: define<string, TextOptions, Public>(textSchema, isPublic),
  url: define<string, Options<string>, Public>(() => httpUrl(), isPublic),
  number: define<number, NumberOptions, Public>(numberSchema, isPublic),
  /** `on` or `off`. */
  flag: define<boolean, Options<boolean>, Public>(
    () => onOff().transform((value) => value === 'on'),
    isPublic,
  ),
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
  secret: define<string, TextOptions, false>(textSchema, false),
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
