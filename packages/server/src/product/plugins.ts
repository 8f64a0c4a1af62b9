import type { AccountData, Hooks, Letters } from '@ostiary/identity'
import { Hono } from 'hono'
import type { ExtractSchema } from 'hono/types'
import type { JobTools, Schedule } from './jobs.ts'
import { joinPolicies, type PolicyOption } from './policy.ts'
import type { ApiTools, IdentityDefaults, Product } from './product.ts'
import type { SettingDefinitions, SettingValues } from './settings.ts'

const OWN = ['config', 'demo', 'demoSwitches', 'plugins'] as const

/** Members of `defineProduct` that a package brings. They join those of the product. */
export interface Plugin extends Omit<Product, (typeof OWN)[number]> {
  /** Begins the names of its jobs and migrations: lower-case letters, digits and -, such as `teams`. */
  readonly name: string
}

type Routes = ReturnType<NonNullable<Product['api']>>

interface PluginWith<S extends SettingDefinitions, R extends Routes>
  extends Omit<Plugin, 'settings' | 'api' | 'identity' | 'jobs' | 'policy'> {
  readonly settings?: S
  readonly api?: (tools: With<S, ApiTools>) => R
  readonly identity?: (defaults: IdentityDefaults, settings: SettingValues<S>) => IdentityDefaults
  readonly policy?: PolicyOption<SettingValues<S>>
  readonly jobs?: Readonly<Record<string, Schedule & { run(tools: With<S, JobTools>): Promise<void> | void }>>
}

type With<S extends SettingDefinitions, Tools> = Omit<Tools, 'settings'> & {
  readonly settings: SettingValues<S>
}

/** A plugin with the types of its settings and routes, which exist for the compiler only. */
interface TypedPlugin<S, R> extends Plugin {
  readonly types?: { readonly settings: S; readonly routes: R }
}

/** The settings of a plugin, for `app/register.d.ts`. */
export type SettingsOf<P> = P extends TypedPlugin<infer S, infer _> ? S : never

/** The calls of a plugin, for `app/register.d.ts`. */
export type ApiOf<P> = P extends TypedPlugin<infer _, infer R> ? ExtractSchema<R> : never

/**
 * Checks the types of the plugin: its routes and jobs get its own settings.
 *
 * @example export default definePlugin({ name: 'teams', policy: { img: ['https://cdn.example.com'] } })
 */
export function definePlugin<const S extends SettingDefinitions, R extends Routes>(
  plugin: PluginWith<S, R>,
): TypedPlugin<S, R> {
  // A product registers the types of its settings, which a plugin does not know.
  return plugin as object as Plugin
}

type Members = Omit<Plugin, 'name'>
type Joins = { readonly [Name in keyof Members]-?: Join<NonNullable<Members[Name]>> }
type Join<T> = (first: T, second: T) => T

const mergeObjects = <T extends object>(first: T, second: T): T => ({ ...first, ...second })

const joins: Joins = {
  accountData: joinAccountData,
  api: (first, second) => (tools) => new Hono().route('/', first(tools)).route('/', second(tools)),
  bodyLimits: mergeObjects,
  emails: (first, second) => [...first, ...second],
  identity: (first, second) => (defaults, settings) => second(first(defaults, settings), settings),
  jobs: mergeObjects,
  kratos: (_, second) => second,
  letters: joinLetters,
  metrics: mergeObjects,
  migrations: mergeObjects,
  on: joinHooks,
  policy: joinPolicies,
  settings: mergeObjects,
}

/** The names of the members of a product. */
export const PARTS: readonly string[] = [...OWN, ...Object.keys(joins)].sort()

/** The product with the members of its plugins, which come first. */
export function withPlugins<P extends Product>(product: P): P {
  const { plugins = [] } = product
  return plugins.toReversed().reduce<P>((joined, plugin) => joinPlugin(prefixed(plugin), joined), product)
}

function joinPlugin<P extends Product>(plugin: Members, product: P): P {
  const members = Object.entries(joins).map(([name, joinTwo]) => {
    const [first, second] = [plugin, product].map((one) => one[name as keyof Members])
    const joined = first && second ? (joinTwo as Join<unknown>)(first, second) : (second ?? first)
    return [name, joined] as const
  })
  return { ...product, ...Object.fromEntries(members.filter(([, joined]) => joined !== undefined)) }
}

function prefixed({ name, jobs, migrations, ...plugin }: Plugin): Members {
  const prefix = <T>(members: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(members).map(([key, member]) => [`${name}-${key}`, member]))
  return {
    ...plugin,
    ...(jobs && { jobs: prefix(jobs) }),
    ...(migrations && { migrations: prefix(migrations) }),
  }
}

function joinAccountData(first: AccountData, second: AccountData): AccountData {
  return {
    export: async (db, id) => ({ ...(await first.export(db, id)), ...(await second.export(db, id)) }),
    async delete(db, id) {
      for (const one of [first, second]) await one.delete?.(db, id)
    },
  }
}

/** By the type of an email: the second changes what the first made of it. */
function joinLetters(first: Letters, second: Letters): Letters {
  return joinByName<(letter: unknown, data: unknown) => unknown>(
    first,
    second,
    (one, other) => (letter, data) => other(one(letter, data), data),
  )
}

type Step = (event: unknown) => Promise<void>
type AnyHook = Readonly<Partial<Record<'inTransaction' | 'afterCommit', Step>>>

function joinHooks(first: Hooks, second: Hooks): Hooks {
  return joinByName<AnyHook>(first, second, (one, other) => ({
    inTransaction: runInTurn(one.inTransaction, other.inTransaction),
    afterCommit: runInTurn(one.afterCommit, other.afterCommit),
  }))
}

/** Undefined without both: a hook after the commit takes a place in the background. */
function runInTurn(first: Step | undefined, second: Step | undefined): Step | undefined {
  if (!first || !second) return first ?? second
  return async (event) => {
    await first(event)
    await second(event)
  }
}

function joinByName<T>(first: object, second: object, joinTwo: Join<T>): object {
  const others = second as Readonly<Record<string, T | undefined>>
  const joined = Object.entries(first as Readonly<Record<string, T>>).map(([name, one]) => {
    const other = others[name]
    return [name, other === undefined ? one : joinTwo(one, other)] as const
  })
  return { ...second, ...Object.fromEntries(joined) }
}

/** Their names are the same for everybody, so they get no prefix. */
const SHARED = ['settings', 'metrics', 'bodyLimits'] as const

export function* findPluginProblems(product: Product) {
  const { plugins = [], emails = [] } = product
  for (const plugin of plugins) yield* findProblemsOf(plugin, product)
  for (const name of duplicates(plugins))
    yield `Two plugins in app/server.ts have the name ${name}. Leave out one.`
  for (const name of duplicates(emails))
    yield `Two emails in app/server.ts and its plugins have the name ${name}. Rename one.`
}

function* findProblemsOf({ name, ...members }: Plugin, product: Product) {
  if (!/^[a-z][a-z\d-]*$/.test(name))
    yield `A plugin in app/server.ts has the name ${JSON.stringify(name)}. Use lower-case letters, digits and -, such as teams.`
  for (const member of Object.keys(members).filter((one) => !Object.hasOwn(joins, one)))
    yield `The plugin ${name} in app/server.ts has the unknown part ${member}. Use ${Object.keys(joins).join(', ')}.`
  const keys = SHARED.flatMap((part) => Object.keys(members[part] ?? {}).map((key) => [part, key] as const))
  for (const [part, key] of keys.filter(([part, key]) => product[part]?.[key] !== members[part]?.[key]))
    yield `${part}.${key} of the plugin ${name} exists twice. Rename the one in app/server.ts, or leave out a plugin.`
}

function duplicates(named: readonly { readonly name: string }[]): readonly string[] {
  const names = named.map(({ name }) => name)
  return names.filter((name, n) => names.indexOf(name) !== n)
}
