import { resolve } from 'node:path'
import type { IdentityConfigInput } from '@ostiary/identity'
import {
  ConfigError,
  FILE,
  isObject,
  localPath,
  merge,
  parseText,
  readText,
  resolveSources,
  templateFiles,
} from '@ostiary/identity/serving'
import { kratos } from '../kratos.ts'
import { withEnvironment } from './environment.ts'

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
