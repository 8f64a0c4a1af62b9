import { readFile } from 'node:fs/promises'
import { messageOf } from '../../errors/errors.ts'
import { ConfigError } from '../checks/config-error.ts'

export async function readText(path: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new ConfigError([{ path, message: `${file} cannot be read: ${reasonOf(error)}` }])
  }
}

export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'the file does not exist'
  if (code === 'EISDIR') return 'it is a directory'
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied'
  return messageOf(error)
}
