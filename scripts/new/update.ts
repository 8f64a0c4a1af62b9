import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'
import { Refusal, SCRIPT } from './create.ts'

/** False in the published command. */
export const isRepository = existsSync(join(root, 'packages/server/src'))

/** Throws if an update would lose something. Returns the versions before and after it, such as `1.0.0 → 1.1.0`. */
export function checkUpdate(target: string): string {
  const next = readJson<{ version: string }>(join(root, 'package.json')).version
  const present = findInstalledVersion(target) ?? next
  if (next.localeCompare(present, 'en', { numeric: true }) < 0)
    throw new Refusal(
      `${target} has version ${present}, and this is ${next}. ${isRepository ? 'Run git pull here first.' : 'Run the newest version of this command: add @latest to its name.'}`,
    )
  if (hasOwnChanges(target, SCRIPT))
    throw new Refusal(`The update replaces ${SCRIPT}, where you have changes. Commit or undo them first.`)
  return present === next ? next : `${present} → ${next}`
}

function findInstalledVersion(target: string): string | undefined {
  const file = join(target, 'package-lock.json')
  if (!existsSync(file)) return undefined
  const { packages } = readJson<{ packages: Record<string, { version?: string } | undefined> }>(file)
  return packages['node_modules/@ostiary/server']?.version
}

/** Uncommitted ones. An earlier update may have written the same file. */
function hasOwnChanges(target: string, file: string): boolean {
  const path = join(target, file)
  if (!existsSync(path) || readFileSync(path).equals(readFileSync(join(root, file)))) return false
  const args = ['status', '--porcelain', '--untracked-files=no', '--', file]
  return Boolean(spawnSync('git', args, { cwd: target, encoding: 'utf8' }).stdout?.trim())
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T
}
