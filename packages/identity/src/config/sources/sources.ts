import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../../errors/errors.ts'
import { isObject } from '../../input/json.ts'
import { ConfigError } from '../checks/config-error.ts'
import type { JsonnetUse } from './jsonnet.ts'
import { jsonnetMapper } from './jsonnet.ts'

export async function readJson(path: string, source: string): Promise<object> {
  const text = await readSource(path, source)
  const value = await parseText(path, () => JSON.parse(text))
  if (isObject(value)) return value
  throw new ConfigError([{ path, message: 'is not a JSON object' }])
}

export async function readSource(path: string, source: string): Promise<string> {
  if (source.startsWith('base64://')) {
    return Buffer.from(source.slice('base64://'.length), 'base64').toString('utf8')
  }
  return await readText(path, fileOf(path, source))
}

/** Loads a module's default function, or Kratos' Jsonnet. */
export async function importMapper(path: string, source: string, use: JsonnetUse): Promise<unknown> {
  if (source.startsWith('base64://')) return await jsonnetMapper(path, await readSource(path, source), use)
  const file = fileOf(path, source)
  const text = await readText(path, file)
  if (/\.(jsonnet|libsonnet)$/.test(file)) return await jsonnetMapper(path, text, use)
  const url = pathToFileURL(file)
  // Modules are cached by URL; their imports stay cached.
  url.searchParams.set('text', hashOf(text))
  let module: { default?: unknown }
  try {
    module = await import(url.href)
  } catch (error) {
    throw new ConfigError([{ path, message: `${file} cannot be loaded: ${messageOf(error)}` }])
  }
  if (typeof module.default === 'function') return module.default
  throw new ConfigError([{ path, message: `${file} has no default function` }])
}

function fileOf(path: string, source: string): string {
  if (source.startsWith(FILE)) return localPath(source)
  const message = 'expected file:// and a path, or base64:// and the content'
  throw new ConfigError([{ path, message }])
}

export const FILE = 'file://'

export function localPath(source: string): string {
  return resolve(source.slice(FILE.length))
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

export async function readText(path: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new ConfigError([{ path, message: `${file} cannot be read: ${reasonOf(error)}` }])
  }
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

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'the file does not exist'
  if (code === 'EISDIR') return 'it is a directory'
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied'
  return messageOf(error)
}

export type Named = Record<string, unknown>
