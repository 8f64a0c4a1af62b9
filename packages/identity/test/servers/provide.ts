import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Installs the Debian packages if nothing is found, where permitted. */
export function provide<T>(find: () => T | undefined, ...names: readonly string[]): T | undefined {
  const found = find()
  if (found !== undefined || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return found
  console.log(`Installing ${names.join(' and ')} with apt-get (once) …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['install', '-y', '--no-install-recommends', ...names]
  // Updates the lists of packages only if they are missing or outdated.
  for (const args of [install, ['update'], install]) {
    spawnSync('flock', [...TURN, 'apt-get', '-qq', ...OPTIONS, ...args], { env, stdio: 'ignore' })
    const installed = find()
    if (installed !== undefined) return installed
  }
  return undefined
}

/** apt-get fails while another one runs, for example for another lane of the tests. */
const TURN = ['/tmp/my-app-apt-get.lock']

/** An early end without a network. A container's packages need not survive a power failure. */
const OPTIONS = [
  ...['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20'],
  ...['-o', 'Dpkg::Options::=--force-unsafe-io'],
]
