import { resolve } from 'node:path'
import type { IdentityConfigInput } from '@ostiary/identity'
import {
  ConfigError,
  configSchema,
  FILE,
  isObject,
  jsonOrText,
  localPath,
  merge,
  notSupportedPaths,
  parseText,
  readText,
  resolveSources,
  templateFiles,
} from '@ostiary/identity/serving'
import { givenVariables, withFiles } from '@ostiary/identity-server/process'
import { z } from 'zod'
import { kratos } from '../kratos.ts'

export interface Overrides {
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Overrides `dev`. */
  readonly dev?: boolean | undefined
}

/**
 * Reads YAML or JSON, and all sources that it names. Calls `beforeReading` before each file. Throws
 * `ConfigError`.
 */
export async function loadConfig(
  files: readonly string[],
  overrides: Overrides = {},
  beforeReading: (files: readonly string[]) => Promise<void> = async () => {},
): Promise<IdentityConfigInput> {
  await beforeReading(files)
  const config = await readConfig(files, overrides)
  await beforeReading([...filesNamedIn(config), ...(await templatesOf(config))])
  return await resolveSources(config, { kratos })
}

/** Later files and environment variables override earlier ones, replacing lists. Throws `ConfigError`. */
export async function readConfig(
  files: readonly string[],
  { environment = {}, dev }: Overrides,
): Promise<IdentityConfigInput> {
  const parts = await Promise.all(files.map(readConfigFile))
  const config = withEnvironment(parts.reduce<object>(merge, {}), environment)
  return { ...(config as IdentityConfigInput), ...(dev === undefined ? {} : { dev }) }
}

function filesNamedIn(node: unknown): readonly string[] {
  if (typeof node === 'string') return node.startsWith(FILE) ? [localPath(node)] : []
  if (typeof node !== 'object' || node === null) return []
  return Object.values(node).flatMap(filesNamedIn)
}

/** A missing folder is reported when it is read. */
async function templatesOf({ courier }: IdentityConfigInput): Promise<readonly string[]> {
  const folder: unknown = courier?.template_override_path
  return typeof folder === 'string' ? await templateFiles(folder).catch(() => []) : []
}

async function readConfigFile(file: string): Promise<object> {
  const text = await readText(file, resolve(file))
  // Loaded on use, because an embedding server has no such file.
  const { parse } = await import('yaml')
  const value = await parseText(file, () => parse(text))
  if (isObject(value)) return value
  throw new ConfigError([{ path: file, message: 'holds no configuration (an object in YAML or JSON)' }])
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Applies variables as Ory Kratos does: `SELFSERVICE_FLOWS_SETTINGS_UI_URL`; list items by index; lists as
 * JSON or comma-separated, objects as JSON. An empty variable is ignored, and `DSN_FILE` names a file with `DSN`.
 * Throws `ConfigError`.
 */
export function withEnvironment(config: object, environment: Environment): object {
  const copy = structuredClone(config)
  const { variables, issues } = withFiles(givenVariables(environment), (name) => placeOf(name) !== undefined)
  if (issues.length > 0) throw new ConfigError(issues)
  for (const [name, text] of Object.entries(variables).sort()) {
    const place = placeOf(name)
    if (place) setMember(copy as Named, place.steps, parseValue(text, place.schema))
  }
  return copy
}

type Named = Record<string | number, unknown>
type Step = string | number

interface Setting {
  readonly steps: readonly Step[]
  readonly schema: z.ZodType
}

function placeOf(name: string): Setting | undefined {
  const place = findSetting(configSchema, name) ?? notSupported(name)
  // `LOG`, `SESSION` or `DEV` may belong to another program.
  const isAmbiguous = place?.steps.length === 1 && !TOP_LEVEL.has(String(place.steps[0]))
  return isAmbiguous ? undefined : place
}

const TOP_LEVEL: ReadonlySet<string> = new Set(['dsn', 'dev_disable_api_flow_enforcement'])

function findSetting(outer: z.ZodType, name: string): Setting | undefined {
  const schema = unwrapped(outer)
  if (name === '') return { steps: [], schema }
  if (schema instanceof z.ZodArray) return inList(schema, name)
  return schema instanceof z.ZodObject ? inObject(schema, name) : undefined
}

function inObject(schema: z.ZodObject, name: string): Setting | undefined {
  for (const [key, member] of Object.entries(schema.shape)) {
    const variable = variableOf(key)
    if (name !== variable && !name.startsWith(`${variable}_`)) continue
    const setting = findSetting(member as z.ZodType, name.slice(variable.length + 1))
    if (setting) return { ...setting, steps: [key, ...setting.steps] }
  }
  const isOpen = schema.def.catchall !== undefined && !(schema.def.catchall instanceof z.ZodNever)
  return isOpen ? { steps: [name.toLowerCase()], schema: z.unknown() } : undefined
}

function inList(schema: z.ZodArray, name: string): Setting | undefined {
  const [, index, , rest = ''] = /^(\d{1,3})(_(.+))?$/.exec(name) ?? []
  const setting = index === undefined ? undefined : findSetting(schema.element as z.ZodType, rest)
  return setting && { ...setting, steps: [Number(index), ...setting.steps] }
}

function notSupported(name: string): Setting | undefined {
  const path = notSupportedPaths.find((path) => path.includes('.') && variableOf(path) === name)
  return path === undefined ? undefined : { steps: path.split('.'), schema: z.unknown() }
}

function variableOf(path: string): string {
  return path.replaceAll(/[.-]/g, '_').toUpperCase()
}

function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in as z.ZodType)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return unwrapped(schema.unwrap() as z.ZodType)
  }
  return schema
}

/** An unparsable value stays text, which validation rejects. */
function parseValue(text: string, schema: z.ZodType): unknown {
  if (/^\s*[[{]/.test(text) && !(schema instanceof z.ZodString)) return jsonOrText(text)
  if (schema instanceof z.ZodArray) return text.split(',').map((part) => part.trim())
  if (schema instanceof z.ZodBoolean && /^(1|t|true|0|f|false)$/i.test(text)) return /^(1|t)/i.test(text)
  return schema instanceof z.ZodNumber || schema instanceof z.ZodUnknown ? jsonOrText(text) : text
}

function setMember(node: Named, [step, ...rest]: readonly Step[], value: unknown): void {
  if (step === undefined) return
  if (rest.length === 0) {
    node[step] = value
    return
  }
  const member = node[step]
  const next = typeof member === 'object' && member !== null ? member : typeof rest[0] === 'number' ? [] : {}
  node[step] = next
  setMember(next as Named, rest, value)
}
