import { isObject, merge } from '../../input/json.ts'
import type { IdentityConfigInput } from '../schema.ts'
import { loadCourier } from './courier.ts'
import type { Named } from './sources.ts'
import { importMapper, readJson } from './sources.ts'

/**
 * Loads `file://`, `base64://` and, for templates, `https://`. Paths are relative to the working directory.
 */
export async function resolveSources(
  input: IdentityConfigInput,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<IdentityConfigInput> {
  const schemas = await Promise.all(listOf(input.identity?.schemas).map(withSchema))
  const templates = await Promise.all(Object.entries(templatesOf(input)).map(withKeysAndMapper))
  const flows = await withHookBodies('selfservice.flows', input.selfservice?.flows)
  const providers = await Promise.all(listOf(oidcOf(input)?.providers).map(withMapper))
  const courier = await loadCourier(input.courier, fetch)
  const selfservice = {
    ...(isObject(flows) ? { flows } : {}),
    ...(providers.length === 0 ? {} : { methods: { oidc: { config: { providers } } } }),
  }
  const loaded = {
    ...(Object.keys(selfservice).length === 0 ? {} : { selfservice }),
    ...(schemas.length === 0 ? {} : { identity: { schemas } }),
    ...(Object.keys(courier).length === 0 ? {} : { courier }),
    ...(templates.length === 0
      ? {}
      : { session: { whoami: { tokenizer: { templates: Object.fromEntries(templates) } } } }),
  }
  return merge(input, loaded) as IdentityConfigInput
}

async function withSchema(entry: unknown, index: number): Promise<unknown> {
  if (!isObject(entry) || entry.schema !== undefined || typeof entry.url !== 'string') return entry
  return { ...entry, schema: await readJson(`identity.schemas[${index}].url`, entry.url) }
}

async function withKeysAndMapper([name, template]: [string, unknown]): Promise<[string, unknown]> {
  if (!isObject(template)) return [name, template]
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
            claims_mapper: await importMapper(`${path}.claims_mapper_url`, claims_mapper_url, 'claims'),
          }
        : {}),
    },
  ]
}

async function withHookBodies(path: string, node: unknown): Promise<unknown> {
  if (!isObject(node)) return node
  const members = Object.entries(node).map(async ([name, member]) => {
    const here = `${path}.${name}`
    if (name !== 'hooks' || !Array.isArray(member)) return [name, await withHookBodies(here, member)]
    return [name, await Promise.all(member.map((hook, index) => withBody(`${here}[${index}]`, hook)))]
  })
  return Object.fromEntries(await Promise.all(members))
}

async function withBody(path: string, entry: unknown): Promise<unknown> {
  if (!isObject(entry) || !isObject(entry.config) || typeof entry.config.body !== 'string') return entry
  const body = await importMapper(`${path}.config.body`, entry.config.body, 'body')
  return { ...entry, config: { ...entry.config, body } }
}

async function withMapper(entry: unknown, index: number): Promise<unknown> {
  if (!isObject(entry) || entry.mapper !== undefined || typeof entry.mapper_url !== 'string') return entry
  const path = `selfservice.methods.oidc.config.providers[${index}].mapper_url`
  return { ...entry, mapper: await importMapper(path, entry.mapper_url, 'claims') }
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
