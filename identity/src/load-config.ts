import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse as parseYaml } from 'yaml'
import { ConfigError } from './config/config-error.ts'
import { withEnvironment } from './config/environment.ts'
import type { IdentityConfigInput } from './config.ts'

/**
 * Reads configuration files in YAML or JSON; a later one is laid over the earlier ones, lists are replaced.
 * Variables of the environment lie over all of them. What they name by `file://` and `base64://` is loaded into the
 * object. `beforeReading` is told of each file before it is read. Throws `ConfigError`.
 */
export async function loadConfig(
  files: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
  beforeReading: (files: readonly string[]) => Promise<void> = async () => {},
): Promise<IdentityConfigInput> {
  await beforeReading(files)
  const parts = await Promise.all(files.map(readConfigFile))
  const config = withEnvironment(parts.reduce<object>(merge, {}), environment)
  await beforeReading(filesNamedIn(config))
  return await resolveSources(config as IdentityConfigInput)
}

/**
 * Loads what the object names by `file://` and `base64://`: identity schemas, key sets, mapper modules. Relative
 * paths are those of the working directory. What is there as an object or a function already stays.
 */
export async function resolveSources(input: IdentityConfigInput): Promise<IdentityConfigInput> {
  const schemas = await Promise.all(listOf(input.identity?.schemas).map(withSchema))
  const templates = await Promise.all(Object.entries(templatesOf(input)).map(withKeysAndMapper))
  const flows = await withHookBodies('selfservice.flows', input.selfservice?.flows)
  const providers = await Promise.all(listOf(oidcOf(input)?.providers).map(withMapper))
  const selfservice = {
    ...(isNamed(flows) ? { flows } : {}),
    ...(providers.length === 0 ? {} : { methods: { oidc: { config: { providers } } } }),
  }
  const loaded = {
    ...(Object.keys(selfservice).length === 0 ? {} : { selfservice }),
    ...(schemas.length === 0 ? {} : { identity: { schemas } }),
    ...(templates.length === 0
      ? {}
      : { session: { whoami: { tokenizer: { templates: Object.fromEntries(templates) } } } }),
  }
  return merge(input, loaded) as IdentityConfigInput
}

type Named = Record<string, unknown>

function filesNamedIn(node: unknown): readonly string[] {
  if (typeof node === 'string') return node.startsWith(FILE) ? [pathOf(node)] : []
  if (typeof node !== 'object' || node === null) return []
  return Object.values(node).flatMap(filesNamedIn)
}

async function readConfigFile(file: string): Promise<object> {
  const text = await read(file, resolve(file))
  const value = await understand(file, () => parseYaml(text))
  if (isNamed(value)) return value
  throw new ConfigError([{ path: file, message: 'holds no configuration (an object in YAML or JSON)' }])
}

async function withSchema(entry: unknown, index: number): Promise<unknown> {
  if (!isNamed(entry) || entry.schema !== undefined || typeof entry.url !== 'string') return entry
  return { ...entry, schema: await readJson(`identity.schemas[${index}].url`, entry.url) }
}

async function withKeysAndMapper([name, template]: [string, unknown]): Promise<[string, unknown]> {
  if (!isNamed(template)) return [name, template]
  const path = `session.whoami.tokenizer.templates.${name}`
  const { jwks_url, jwks, claims_mapper_url, claims_mapper } = template
  const keys = typeof jwks_url === 'string' && jwks === undefined
  const mapper = typeof claims_mapper_url === 'string' && claims_mapper === undefined
  return [
    name,
    {
      ...template,
      ...(keys ? { jwks: await readJson(`${path}.jwks_url`, jwks_url) } : {}),
      ...(mapper
        ? {
            claims_mapper: await importMapper(`${path}.claims_mapper_url`, claims_mapper_url, CLAIMS_EXAMPLE),
          }
        : {}),
    },
  ]
}

/** Wherever hooks stand below, the bodies of web hooks are loaded. */
async function withHookBodies(path: string, node: unknown): Promise<unknown> {
  if (!isNamed(node)) return node
  const members = Object.entries(node).map(async ([name, member]) => {
    const here = `${path}.${name}`
    if (name !== 'hooks' || !Array.isArray(member)) return [name, await withHookBodies(here, member)]
    return [name, await Promise.all(member.map((hook, index) => withBody(`${here}[${index}]`, hook)))]
  })
  return Object.fromEntries(await Promise.all(members))
}

async function withBody(path: string, entry: unknown): Promise<unknown> {
  if (!isNamed(entry) || !isNamed(entry.config) || typeof entry.config.body !== 'string') return entry
  const body = await importMapper(`${path}.config.body`, entry.config.body, BODY_EXAMPLE)
  return { ...entry, config: { ...entry.config, body } }
}

const CLAIMS_EXAMPLE =
  'export default ({ session, claims }) => ({ claims: { email: session.identity.traits.email } })'
const BODY_EXAMPLE = 'export default ({ ctx }) => ({ person: ctx.identity.id })'
const PROVIDER_EXAMPLE = 'export default ({ claims }) => ({ identity: { traits: { email: claims.email } } })'

async function withMapper(entry: unknown, index: number): Promise<unknown> {
  if (!isNamed(entry) || entry.mapper !== undefined || typeof entry.mapper_url !== 'string') return entry
  const path = `selfservice.methods.oidc.config.providers[${index}].mapper_url`
  return { ...entry, mapper: await importMapper(path, entry.mapper_url, PROVIDER_EXAMPLE) }
}

async function readJson(path: string, source: string): Promise<object> {
  const text = await readSource(path, source)
  const value = await understand(path, () => JSON.parse(text))
  if (isNamed(value)) return value
  throw new ConfigError([{ path, message: 'names no JSON object' }])
}

async function readSource(path: string, source: string): Promise<string> {
  if (source.startsWith('base64://')) {
    return Buffer.from(source.slice('base64://'.length), 'base64').toString('utf8')
  }
  return await read(path, fileOf(path, source))
}

/** A module whose default function maps. Kratos' Jsonnet is not run here. */
async function importMapper(path: string, source: string, example: string): Promise<unknown> {
  if (source.endsWith('.jsonnet') || source.startsWith('base64://')) throw jsonnetError(path, source, example)
  const file = fileOf(path, source)
  const url = pathToFileURL(file)
  // A module is run once for each address: another text needs another one. What it imports itself stays.
  url.searchParams.set('text', hashOf(await read(path, file)))
  let module: { default?: unknown }
  try {
    module = await import(url.href)
  } catch (error) {
    throw new ConfigError([{ path, message: `${file} cannot be loaded: ${wordsOf(error)}` }])
  }
  if (typeof module.default === 'function') return module.default
  throw new ConfigError([{ path, message: `${file} has no default function` }])
}

function jsonnetError(path: string, source: string, example: string): ConfigError {
  const file = source.startsWith('file://') ? source.replace(/\.jsonnet$/, '.mjs') : 'file://mapper.mjs'
  const message = `Jsonnet is not supported: write a module and name it here as ${file}, for example\n    ${example}`
  return new ConfigError([{ path, message }])
}

function fileOf(path: string, source: string): string {
  if (source.startsWith(FILE)) return pathOf(source)
  const message = 'expected file:// and a path, or base64:// and the content'
  throw new ConfigError([{ path, message }])
}

const FILE = 'file://'

function pathOf(source: string): string {
  return resolve(source.slice(FILE.length))
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

async function read(path: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new ConfigError([{ path, message: `${file} cannot be read: ${reasonOf(error)}` }])
  }
}

/** A parser's own words may quote the file, and with it a secret: only the place is passed on. */
async function understand(path: string, parse: () => unknown): Promise<unknown> {
  try {
    return parse()
  } catch (error) {
    const line = /at line (\d+)/.exec(wordsOf(error))?.[1]
    const message = `is neither JSON nor YAML${line === undefined ? '' : ` (line ${line})`}`
    throw new ConfigError([{ path, message }])
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EISDIR') return 'it is a folder'
  if (code === 'EACCES' || code === 'EPERM') return 'this user may not read it'
  return wordsOf(error)
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function merge(below: object, above: object): object {
  const result: Named = { ...below }
  for (const [name, value] of Object.entries(above)) {
    const known = result[name]
    result[name] = isNamed(known) && isNamed(value) ? merge(known, value) : value
  }
  return result
}

function templatesOf(input: IdentityConfigInput): Named {
  const templates: unknown = input.session?.whoami?.tokenizer?.templates
  return isNamed(templates) ? templates : {}
}

function oidcOf(input: IdentityConfigInput): Named | undefined {
  const config: unknown = input.selfservice?.methods?.oidc?.config
  return isNamed(config) ? config : undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isNamed(value: unknown): value is Named {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
