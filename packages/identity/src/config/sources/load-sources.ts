import { isObject, merge } from '../../input/json.ts'
import type { ConfigIssue } from '../checks/config-error.ts'
import type { IdentityConfigInput } from '../schema.ts'
import { loadCourier } from './courier.ts'
import type { Named, Sources } from './sources.ts'
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
  const schemas = await Promise.all(
    listOf(input.identity?.schemas).map((entry, index) => withSchema(sources, entry, index)),
  )
  const templates = await Promise.all(
    Object.entries(templatesOf(input)).map((entry) => withKeysAndMapper(sources, entry)),
  )
  const flows = await withHookBodies(sources, 'selfservice.flows', input.selfservice?.flows)
  const providers = await Promise.all(
    listOf(oidcOf(input)?.providers).map((entry, index) => withMapper(sources, entry, index)),
  )
  const courier = await loadCourier(sources, input.courier)
  const selfservice = {
    ...(isObject(flows) ? { flows } : {}),
    ...(providers.length === 0 ? {} : { methods: { oidc: { config: { providers } } } }),
  }
  const above = {
    ...(Object.keys(selfservice).length === 0 ? {} : { selfservice }),
    ...(schemas.length === 0 ? {} : { identity: { schemas } }),
    ...(Object.keys(courier).length === 0 ? {} : { courier }),
    ...(templates.length === 0
      ? {}
      : { session: { whoami: { tokenizer: { templates: Object.fromEntries(templates) } } } }),
  }
  // They were found in the order in which files and servers answered.
  const issues = sources.issues.toSorted((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)))
  return { loaded: merge(input, above) as IdentityConfigInput, issues }
}

async function withSchema(sources: Sources, entry: unknown, index: number): Promise<unknown> {
  if (!isObject(entry) || entry.schema !== undefined || typeof entry.url !== 'string') return entry
  return { ...entry, schema: await sources.json(`identity.schemas[${index}].url`, entry.url) }
}

async function withKeysAndMapper(
  sources: Sources,
  [name, template]: [string, unknown],
): Promise<[string, unknown]> {
  if (!isObject(template)) return [name, template]
  const path = `session.whoami.tokenizer.templates.${name}`
  const { jwks_url, jwks, claims_mapper_url, claims_mapper } = template
  const keys = typeof jwks_url === 'string' && jwks === undefined
  const mapper = typeof claims_mapper_url === 'string' && claims_mapper === undefined
  return [
    name,
    {
      ...template,
      ...(keys ? { jwks: await sources.json(`${path}.jwks_url`, jwks_url) } : {}),
      ...(mapper
        ? { claims_mapper: await sources.mapper(`${path}.claims_mapper_url`, claims_mapper_url, 'claims') }
        : {}),
    },
  ]
}

async function withHookBodies(sources: Sources, path: string, node: unknown): Promise<unknown> {
  if (!isObject(node)) return node
  const members = Object.entries(node).map(async ([name, member]) => {
    const here = `${path}.${name}`
    if (name !== 'hooks' || !Array.isArray(member)) return [name, await withHookBodies(sources, here, member)]
    return [
      name,
      await Promise.all(member.map((hook, index) => withBody(sources, `${here}[${index}]`, hook))),
    ]
  })
  return Object.fromEntries(await Promise.all(members))
}

async function withBody(sources: Sources, path: string, entry: unknown): Promise<unknown> {
  if (!isObject(entry) || !isObject(entry.config) || typeof entry.config.body !== 'string') return entry
  const body = await sources.mapper(`${path}.config.body`, entry.config.body, 'body')
  return { ...entry, config: { ...entry.config, body } }
}

async function withMapper(sources: Sources, entry: unknown, index: number): Promise<unknown> {
  if (!isObject(entry) || entry.mapper !== undefined || typeof entry.mapper_url !== 'string') return entry
  const path = `selfservice.methods.oidc.config.providers[${index}].mapper_url`
  return { ...entry, mapper: await sources.mapper(path, entry.mapper_url, 'claims') }
}

function templatesOf(input: IdentityConfigInput): Named {
  const templates: unknown = input.session?.whoami?.tokenizer?.templates
  return isObject(templates) ? templates : {}
}

function oidcOf(input: IdentityConfigInput): Named | undefined {
  const config: unknown = input.selfservice?.methods?.oidc?.config
  return isObject(config) ? config : undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
