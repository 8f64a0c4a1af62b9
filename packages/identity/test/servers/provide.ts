import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Installs the Debian packages if nothing is found, where permitted. */
export function provide<T>(find: () => T | undefined, ...names: readonly string[]): T | undefined {
  const found = find()
  if (found !== undefined || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return found
  console.log(`Installing ${names.join(' and ')} with apt-get (once) …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...names]])
    spawnSync('flock', [...TURN, 'apt-get', '-qq', ...EARLY_END, ...args], { env, stdio: 'ignore' })
  return find()
}

/** apt-get fails while another one runs, for example for another lane of the tests. */
const TURN = ['/tmp/my-app-apt-get.lock']

/** Without a network. */
const EARLY_END = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20']
