import { readFile } from 'node:fs/promises'
import { messageOf } from '../../errors/errors.ts'
import { ConfigError } from '../checks/config-error.ts'

export async function readText(path: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new ConfigError([
      { path, message: `${file} cannot be read: ${fileProblem(error) ?? messageOf(error)}` },
    ])
  }
}

/** Undefined unless the file system explains it. */
export function fileProblem(error: unknown): string | undefined {
  return PROBLEMS[(error as NodeJS.ErrnoException).code ?? '']
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  ENOTDIR: 'the folder does not exist',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
}
