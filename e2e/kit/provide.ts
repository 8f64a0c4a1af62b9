import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'

/** Installs the Debian package if permitted. @returns the first file that matches */
export function provide(pattern: string, name: string): string | undefined {
  const find = () => globSync(pattern)[0]
  const found = find()
  if (found !== undefined || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return found
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', name]])
    spawnSync('flock', [...TURN, 'apt-get', '-qq', ...EARLY_END, ...args], { env, stdio: 'ignore' })
  return find()
}

/** apt-get fails while another one runs, for example for another lane of the tests. */
const TURN = ['/tmp/my-app-apt-get.lock']

/** Without a network. */
const EARLY_END = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20']
