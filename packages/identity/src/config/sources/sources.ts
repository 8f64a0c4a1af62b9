import { hash } from 'node:crypto'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf, rootOf } from '../../errors/errors.ts'
import { isObject, merge } from '../../input/json.ts'
import { readCapped } from '../../input/plain-text.ts'
import { ConfigError, type ConfigIssue } from '../checks/config-error.ts'
import { KRATOS_PROVIDERS } from '../providers.ts'
import type { IdentityConfigInput } from '../schema.ts'
import { readText, type TemplateSource, templatesIn } from './files.ts'
import { type KratosFeatures, type MapperUse, needsKratos } from './kratos-features.ts'

export interface SourceTools {
  readonly fetch: typeof fetch
  readonly kratos?: KratosFeatures | undefined
}

/**
 * Loads `file://`, `base64://` and `https://`. Paths are relative to the working directory. Sources with an
 * issue are missing in `loaded`.
 */
export async function loadSources(input: IdentityConfigInput, tools: SourceTools) {
  const sources = sourceReader(tools)
  const folder: unknown = input.courier?.template_override_path
  const templates = typeof folder === 'string' ? await sources.templates(folder) : undefined
  const loaded = merge(templates ? { courier: { templates } } : {}, await load(sources, input, ''))
  // They were found in the order in which files and servers answered.
  const issues = sources.issues.toSorted((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)))
  return { loaded: loaded as IdentityConfigInput, issues }
}

async function load<T>(sources: Sources, node: T, path: string): Promise<T | object> {
  if (Array.isArray(node))
    return await Promise.all(node.map((entry, index) => load(sources, entry, `${path}[${index}]`)))
  if (!isObject(node)) return node
  const definedMembers = Object.entries(node).filter(([, member]) => member !== undefined)
  const members = definedMembers.map(async ([name, member]) => {
    const here = path === '' ? name : `${path}.${name}`
    const { read, into = name } = KEYS.find(({ at }) => at.test(here)) ?? {}
    const isLoaded = into !== name && node[into] !== undefined
    if (!read || isLoaded || typeof member !== 'string') return [name, await load(sources, member, here)]
    return [into, await sources[read](here, member)]
  })
  return { ...node, ...Object.fromEntries(await Promise.all(members)) }
}

interface Key {
  readonly at: RegExp
  readonly read: Exclude<keyof Sources, 'issues' | 'templates'>
  /** The key of the content, unless it replaces its source. */
  readonly into?: string
}

const TOKENS = String.raw`^session\.whoami\.tokenizer\.templates\..+\.`
const PROVIDER = String.raw`^selfservice\.methods\.oidc\.config\.providers\[\d+\]\.`

const KEYS: readonly Key[] = [
  { at: /^identity\.schemas\[\d+\]\.url$/, read: 'json', into: 'schema' },
  { at: new RegExp(`${TOKENS}jwks_url$`), read: 'json', into: 'jwks' },
  { at: new RegExp(`${TOKENS}claims_mapper_url$`), read: 'claims', into: 'claims_mapper' },
  { at: new RegExp(`${PROVIDER}provider$`), read: 'provider', into: 'kind' },
  { at: new RegExp(`${PROVIDER}mapper_url$`), read: 'claims', into: 'mapper' },
  { at: /^selfservice\.flows\..+\.hooks\[\d+\]\.config\.body$/, read: 'body' },
  { at: /^courier\.(http|channels\[\d+\])\.request_config\.body$/, read: 'body' },
  { at: /^courier\.templates\..+\.(subject|plaintext|html)$/, read: 'template' },
]

/** Each member returns undefined after it has added an issue. */
type Sources = ReturnType<typeof sourceReader>

function sourceReader({ fetch, kratos }: SourceTools) {
  const issues: ConfigIssue[] = []
  const collecting =
    <Rest extends readonly unknown[], Result>(load: (...given: Rest) => Promise<Result>) =>
    async (...given: Rest): Promise<Result | undefined> => {
      try {
        return await load(...given)
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error
        issues.push(...error.issues)
        return undefined
      }
    }
  const text = (path: string, source: string) => readSource(path, source, fetch)
  /** A module's default function, or Kratos' Jsonnet. */
  const mapper = (use: MapperUse) =>
    collecting(async (path: string, source: string) =>
      source.startsWith(FILE) && /\.[cm]?[jt]s$/.test(source)
        ? await importModule(path, localPath(source))
        : await jsonnetMapper(kratos, { path, code: await text(path, source), use }),
    )
  return {
    issues,
    claims: mapper('claims'),
    body: mapper('body'),
    template: collecting(async (path: string, source: string) =>
      goTemplate(kratos, {
        path,
        text: await text(path, source),
        as: path.endsWith('.html') ? 'html' : 'text',
      }),
    ),
    /** Reads `courier.template_override_path` in the form of `courier.templates`. */
    templates: collecting((folder: string) => templatesIn(folder, (given) => goTemplate(kratos, given))),
    /** Undefined for the kinds of this package. */
    provider: collecting(async (path: string, provider: string) => {
      const name = KRATOS_PROVIDERS.find((one) => one === provider)
      if (name && !kratos) throw new ConfigError([{ path, message: needsKratos(`the provider ${name}`) }])
      return name && (await kratos?.loadProvider(name))
    }),
    json: collecting(async (path: string, source: string) => asObject(path, await text(path, source))),
  }
}

async function readSource(path: string, source: string, fetch: typeof globalThis.fetch): Promise<string> {
  if (source.startsWith(BASE64)) return Buffer.from(source.slice(BASE64.length), 'base64').toString('utf8')
  if (source.startsWith(FILE)) return await readText(path, localPath(source))
  if (/^https?:\/\//.test(source)) return await download(path, source, fetch)
  throw new ConfigError([
    { path, message: 'expected file:// and a path, https:// and an address, or base64:// and the content' },
  ])
}

const BASE64 = 'base64://'
const PATIENCE_MS = 10_000
const LONGEST = 256 * 1024

async function download(path: string, url: string, fetch: typeof globalThis.fetch): Promise<string> {
  try {
    // `fetch` refuses these and quotes the password.
    if (new URL(url).password !== '') throw new Error('an address with a password is not supported')
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'error' })
    if (!answer.ok) throw new Error(`the response was ${answer.status}`)
    return String(await readCapped(answer.body, LONGEST))
  } catch (error) {
    throw new ConfigError([{ path, message: `cannot be loaded: ${rootOf(error)}` }])
  }
}

async function asObject(path: string, text: string): Promise<object> {
  const value = await parseText(path, () => JSON.parse(text))
  if (isObject(value)) return value
  throw new ConfigError([{ path, message: 'is not a JSON object' }])
}

async function importModule(path: string, file: string): Promise<unknown> {
  const url = pathToFileURL(file)
  // Modules are cached by URL; their imports stay cached.
  url.searchParams.set('text', hash('sha256', await readText(path, file), 'base64url'))
  let module: { default?: unknown }
  try {
    module = await import(url.href)
  } catch (error) {
    throw new ConfigError([{ path, message: `${file} cannot be loaded: ${messageOf(error)}` }])
  }
  if (typeof module.default === 'function') return module.default
  throw new ConfigError([{ path, message: `${file} has no default function` }])
}

interface JsonnetSource {
  readonly path: string
  readonly code: string
  readonly use: MapperUse
}

async function jsonnetMapper(kratos: KratosFeatures | undefined, { path, code, use }: JsonnetSource) {
  if (!kratos) throw new ConfigError([{ path, message: needsKratos('Jsonnet') }])
  try {
    const mapper = await kratos.compileJsonnet(code, use)
    // `revisionOf` changes with the text of a function.
    return Object.assign(mapper, { toString: () => code })
  } catch (error) {
    throw new ConfigError([{ path, message: `is not Jsonnet: ${messageOf(error)}` }])
  }
}

async function goTemplate(kratos: KratosFeatures | undefined, { path, text, as }: TemplateSource) {
  if (!kratos) throw new ConfigError([{ path, message: needsKratos('a Go template') }])
  try {
    return { render: await kratos.compileGoTemplate(text, as), text, path }
  } catch (error) {
    throw new ConfigError([{ path, message: messageOf(error) }])
  }
}

export const FILE = 'file://'

export function localPath(source: string): string {
  return resolve(source.slice(FILE.length))
}

/** Reports only the line, because a parser's message may quote a secret. */
export async function parseText(path: string, parse: () => unknown): Promise<unknown> {
  try {
    return parse()
  } catch (error) {
    const line = /at line (\d+)/.exec(messageOf(error))?.[1]
    const message = `is neither JSON nor YAML${line === undefined ? '' : ` (line ${line})`}`
    throw new ConfigError([{ path, message }])
  }
}
