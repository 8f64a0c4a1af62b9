import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { need } from './fault.ts'
import type { Replica } from './product.ts'

const isRoot = process.getuid?.() === 0
/** Root in a namespace, if permitted. */
const NAMESPACE = ['unshare', ...(isRoot ? [] : ['--user', '--map-root-user']), '--mount']

export function needMounts(): void {
  const [command = '', ...args] = [...NAMESPACE, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']
  const isAllowed = spawnSync(command, args).status === 0
  need(isAllowed || undefined, 'this system lets no program have mounts of its own')
}

export function withMounts(line: string): readonly string[] {
  return [...NAMESPACE, ...afterLine(line)]
}

export function afterLine(line: string): readonly string[] {
  return ['sh', '-c', `${line} && exec "$@"`, 'sh']
}

export function pathIn({ pid }: Pick<Replica, 'pid'>, path: string): string {
  return `/proc/${pid}/root${path}`
}

/** File permissions do not bind root. */
export function withoutPrivileges(): readonly string[] {
  return isRoot ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []
}

export function needProgram(name: string): void {
  need(existsSync(`/usr/bin/${name}`) || undefined, `there is no ${name} here`)
}

export function refuseWrites({ pid }: Pick<Replica, 'pid'>, refused: boolean): void {
  const { status } = spawnSync('prlimit', [
    '--pid',
    `${pid}`,
    `--fsize=${refused ? '0' : 'unlimited'}:unlimited`,
  ])
  if (status !== 0) throw new Error('prlimit failed')
}
