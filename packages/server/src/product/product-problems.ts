import { TRAIT_FORMATS } from '@ostiary/identity/serving'
import { isColor } from '@ostiary/identity/theme'
import { findBodyLimitProblems } from '../http/body-limits.ts'
import type { Settings } from '../settings/env.ts'
import { findJobProblems } from './jobs.ts'
import { findPluginProblems, PARTS } from './plugins.ts'
import { findPolicyProblems } from './policy.ts'
import type { Product, ProductConfig } from './product.ts'

/** A start does not check the types of app.config.ts. */
export function* findProductProblems(
  product: Product,
  { identity_url, production, policy }: Pick<Settings, 'identity_url' | 'production' | 'policy'>,
  takenNames: readonly string[],
) {
  const { config, settings = {}, bodyLimits, jobs, migrations } = product
  for (const part of Object.keys(product).filter((name) => !PARTS.includes(name)))
    yield `The product in app/server.ts has the unknown part ${part}. Use ${PARTS.join(', ')}.`
  yield* findPluginProblems(product)
  yield* findPolicyProblems(policy, production)
  yield* findBodyLimitProblems(bodyLimits)
  yield* findJobProblems(jobs, identity_url === undefined || migrations !== undefined)
  yield* findConfigProblems(config)
  for (const [name, migration] of Object.entries(migrations ?? {}))
    if (typeof migration?.up !== 'function')
      yield `The migration ${name} in app/server.ts has no function up. Write { up: (db) => db.schema.createTable(…).execute() }.`
  for (const name of Object.keys(settings).filter((name) => takenNames.includes(name)))
    yield `The app has a setting ${name} already. Give the one in app/server.ts another name.`
  for (const name of Object.keys(settings).filter((name) => !/^[A-Z][A-Z\d_]*(?<!_FILE)$/.test(name)))
    yield `The setting ${name} in app/server.ts is not a name such as MAPS_KEY. Use capitals, digits and underscores.`
}

function* findColorProblems({ accent, darkAccent }: Partial<ProductConfig['theme']> = {}) {
  const colors = { accent, ...(darkAccent !== undefined && { darkAccent }) }
  for (const [name, color] of Object.entries(colors).filter(([, color]) => !isColor(color)))
    yield `theme.${name} in app.config.ts is ${JSON.stringify(color)}. Set it to a CSS color, such as '#0e5a6b'.`
}

function* findConfigProblems(config: ProductConfig) {
  const { traits, requiredTraits } = config
  const { theme, password }: Partial<ProductConfig> = config
  yield* findColorProblems(theme)
  const length = password?.minLength ?? 0
  if (!(Number.isInteger(length) && length >= 6))
    yield `password.minLength in app.config.ts is ${JSON.stringify(password?.minLength)}. Set it to a whole number of characters, 6 or more.`
  for (const name of requiredTraits.filter((name) => !Object.hasOwn(traits, name)))
    yield `requiredTraits in app.config.ts names "${name}", which is not in traits. Add it there, or remove it.`
  for (const [name, { format }] of Object.entries(traits))
    if (typeof format === 'string' && !TRAIT_FORMATS.includes(format))
      yield `traits.${name} in app.config.ts has the unknown format "${format}". Use one of ${TRAIT_FORMATS.join(', ')}.`
}
