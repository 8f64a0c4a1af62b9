import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { constants, getPriority, setPriority } from 'node:os'

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
const THREADS = '/proc/self/task'

/**
 * Hashes get the processor when the event loop, and a database on the same machine, leave it: otherwise everyone waits
 * for a flood of sign-ins. Linux only: elsewhere a priority belongs to the whole process.
 */
export async function lowerHashThreads(): Promise<void> {
  if (process.platform !== 'linux') return
  const priority = Math.min(PRIORITY_LOW, getPriority() + PRIORITY_BELOW_NORMAL)
  try {
    // Reading the folder asynchronously starts libuv's threads, all at once.
    for (const thread of await readdir(THREADS))
      if (nameOf(thread) === 'libuv-worker') setPriority(Number(thread), priority)
  } catch {
    // A sandbox has no /proc, or forbids this: hashes then compete, as on other systems.
  }
}

function nameOf(thread: string): string {
  return readFileSync(`${THREADS}/${thread}/comm`, 'utf8').trim()
}
