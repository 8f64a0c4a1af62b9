import { isObject, merge } from '../../input/json.ts'
import type { ConfigIssue } from '../checks/config-error.ts'
import type { IdentityConfigInput } from '../schema.ts'
import type { Sources } from './sources.ts'
import { sourceReader } from './sources.ts'

/**
 * Loads `file://`, `base64://` and `https://`. Paths are relative to the working directory. Sources with an
 * issue are missing in `loaded`.
 */
export async function loadSources(
  input: IdentityConfigInput,
  fetch: typeof globalThis.fetch,
): Promise<{ loaded: IdentityConfigInput; issues: readonly ConfigIssue[] }> {
  const sources = sourceReader(fetch)
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
  const known = Object.entries(node).filter(([, member]) => member !== undefined)
  const members = known.map(async ([name, member]) => {
    const here = path === '' ? name : `${path}.${name}`
    const { read, into = name } = KEYS.find(({ at }) => at.test(here)) ?? {}
    const isLoaded = into !== name && node[into] !== undefined
    if (!read || isLoaded || typeof member !== 'string') return [name, await load(sources, member, here)]
    return [into, await read(sources, here, member)]
  })
  return { ...node, ...Object.fromEntries(await Promise.all(members)) }
}

interface Key {
  readonly at: RegExp
  readonly read: (sources: Sources, path: string, source: string) => Promise<unknown>
  /** The key of the content, unless it replaces its source. */
  readonly into?: string
}

const json: Key['read'] = (sources, ...source) => sources.json(...source)
const claims: Key['read'] = (sources, ...source) => sources.mapper(...source, 'claims')
const body: Key['read'] = (sources, ...source) => sources.mapper(...source, 'body')

const KEYS: readonly Key[] = [
  { at: /^identity\.schemas\[\d+\]\.url$/, read: json, into: 'schema' },
  { at: /^session\.whoami\.tokenizer\.templates\..+\.jwks_url$/, read: json, into: 'jwks' },
  {
    at: /^session\.whoami\.tokenizer\.templates\..+\.claims_mapper_url$/,
    read: claims,
    into: 'claims_mapper',
  },
  { at: /^selfservice\.methods\.oidc\.config\.providers\[\d+\]\.mapper_url$/, read: claims, into: 'mapper' },
  { at: /^selfservice\.flows\..+\.hooks\[\d+\]\.config\.body$/, read: body },
  { at: /^courier\.(http|channels\[\d+\])\.request_config\.body$/, read: body },
  {
    at: /^courier\.templates\..+\.(subject|plaintext|html)$/,
    read: (sources, ...source) => sources.template(...source),
  },
]
