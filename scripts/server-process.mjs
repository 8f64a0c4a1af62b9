// Shared by operators, tests and the benchmark to start a server.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { root } from './child.mjs'

export const serverFlags = [
  // node:sqlite warns at every start that it is experimental. The Node version is pinned.
  '--disable-warning=ExperimentalWarning',
  // Requests leave little garbage, so a small nursery halves the memory under load.
  '--max-semi-space-size=2',
]

/** The environment of a server. Keeps variables that are already set. */
export function serverEnv(env = process.env) {
  return {
    // Password hashes use Node's thread pool, one per core. Two threads stay free for files and DNS, which a burst of
    // sign-ins would otherwise delay.
    UV_THREADPOOL_SIZE: String(Math.max(4, availableParallelism() + 2)),
    // Caches compiled modules, so that the next start needs no compiler.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/my-app'),
    // Otherwise the Linux allocator keeps free memory for every thread that ever hashed or compressed.
    MALLOC_ARENA_MAX: '2',
    ...env,
  }
}
