import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'

const OWNER_ONLY = 0o600

/** Creates a database file that only its owner can read; SQLite gives the files beside it the same mode. */
export function createPrivateFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', OWNER_ONLY))
}

/** Removes the permissions of group and others from a database file and those beside it. Returns the changed files. */
export function tightenFiles(path: string): string[] {
  const loose = [path, `${path}-wal`, `${path}-shm`].filter((file) => existsSync(file) && isLoose(file))
  for (const file of loose) chmodSync(file, OWNER_ONLY)
  return loose
}

function isLoose(file: string): boolean {
  return (statSync(file).mode & 0o077) !== 0
}
