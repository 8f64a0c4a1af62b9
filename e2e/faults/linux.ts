import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import type { Replica } from './product.ts'

const isRoot = process.getuid?.() === 0
/** Without rights of its own a program is root in a namespace, where the system allows that. */
const NAMESPACE = ['unshare', ...(isRoot ? [] : ['--user', '--map-root-user']), '--mount']

/** Why no program can have mounts of its own here. */
export function whyNoMounts(): string | undefined {
  const [command = '', ...args] = [...NAMESPACE, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']
  return spawnSync(command, args).status === 0
    ? undefined
    : 'this system lets no program have mounts of its own'
}

/** Runs a program after a line of shell, in a namespace where that line may mount. */
export function withMounts(line: string): readonly string[] {
  return [...NAMESPACE, ...afterLine(line)]
}

/** Runs a program after a line of shell. */
export function afterLine(line: string): readonly string[] {
  return ['sh', '-c', `${line} && exec "$@"`, 'sh']
}

/** How a program that has mounts of its own calls a path. */
export function pathIn({ pid }: Pick<Replica, 'pid'>, path: string): string {
  return `/proc/${pid}/root${path}`
}

/** Runs a program to which the permissions of files apply, which root can ignore. */
export function withoutPrivileges(): readonly string[] {
  return isRoot ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []
}

/** The file of a Debian package; where it is missing and may be installed, it is. */
export function provide(pattern: string, name: string): string | undefined {
  const find = () => globSync(pattern)[0]
  const found = find()
  if (found !== undefined || !isRoot || !existsSync('/usr/bin/apt-get')) return found
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', name]])
    spawnSync('apt-get', ['-qq', ...args], { env, stdio: 'ignore' })
  return find()
}

export function isLinuxWith(...programs: readonly string[]): boolean {
  return programs.every((name) => existsSync(`/usr/bin/${name}`))
}

/** Lets every write to a file fail from now on, or no longer, as if its file system had become read-only. */
export function refuseWrites({ pid }: Pick<Replica, 'pid'>, refused: boolean): void {
  const { status } = spawnSync('prlimit', [
    '--pid',
    `${pid}`,
    `--fsize=${refused ? '0' : 'unlimited'}:unlimited`,
  ])
  if (status !== 0) throw new Error('prlimit failed')
}
