import { chmodSync, closeSync, existsSync, openSync, readSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** A checkpoint blocks the event loop. SQLite's default of 1,000 takes 18 ms with scattered rows. */
export const CHECKPOINT_PAGES = 500

/** https://sqlite.org/fileformat2.html, section 1.3 */
const HEADER = { bytes: 100, pageSize: 16, changeCounter: 24, pages: 28, validFor: 92 }

/** A `?` in the name of a folder begins no parameters. */
export function sqlitePath(dsn: string): string {
  const path = dsn.replace(/^sqlite:(\/\/)?/, '').replace(/\?(\w+(=[^/]*)?)?$/, '')
  return ['', 'memory', 'memory:'].includes(path) ? ':memory:' : path
}

/**
 * A clean shutdown removes the WAL. Throws if the file is shorter than its header declares, as
 * after an interrupted copy.
 */
export function inspectFile(path: string): { readonly unclean: boolean } {
  const size = sizeOf(path)
  const unclean = size > 0 && sizeOf(`${path}-wal`) > 0
  // An interrupted checkpoint leaves the new pages in the WAL.
  if (!unclean && size > 0 && size < declaredSize(path))
    throw new Error(
      `${path} is truncated: it has ${size} bytes and needs ${declaredSize(path)}. Restore it from a backup`,
    )
  return { unclean }
}

/** The first row of `pragma quick_check(1)`, which takes about 1 s per GB. Throws if a page is corrupt. */
export function assertIntact(row: Readonly<Record<string, unknown>> | undefined, name: string): void {
  const result = String(row?.quick_check)
  if (result !== 'ok')
    throw new Error(`${name} is damaged (${result.replaceAll('\n', ' ')}). Restore it from a backup`)
}

/**
 * Returns a check that throws once the file is moved, deleted or replaced. SQLite would keep writing to the first
 * one, and the next start would open the other.
 */
export function watchPlace(path: string): () => void {
  const opened = statSync(path, { bigint: true })
  return () => {
    const current = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (current?.ino === opened.ino && current.dev === opened.dev) return
    throw new Error(
      `${path} was moved, deleted or replaced while the server runs. Stop the server before changing its data`,
    )
  }
}

/** Whether not even the index of a log fits. */
export function isDiskFull(path: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(path))
  return bavail * bsize < 32_768
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function declaredSize(path: string): number {
  const header = Buffer.alloc(HEADER.bytes)
  const file = openSync(path, 'r')
  try {
    readSync(file, header, 0, HEADER.bytes, 0)
  } finally {
    closeSync(file)
  }
  // An older SQLite wrote no valid page count.
  if (header.readUInt32BE(HEADER.changeCounter) !== header.readUInt32BE(HEADER.validFor)) return 0
  const pageSize = header.readUInt16BE(HEADER.pageSize)
  return (pageSize === 1 ? 65_536 : pageSize) * header.readUInt32BE(HEADER.pages)
}

const OWNER_ONLY = 0o600

/** SQLite gives the WAL the same mode. */
export function createPrivateFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', OWNER_ONLY))
}

export function tightenFiles(path: string): string[] {
  const files = [path, `${path}-wal`, `${path}-shm`].filter((file) => existsSync(file))
  const loose = files.filter((file) => (statSync(file).mode & 0o077) !== 0)
  for (const file of loose) chmodSync(file, OWNER_ONLY)
  return loose
}
