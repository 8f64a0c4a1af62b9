// For operators, tests and the benchmark.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

export const serverFlags = [
  // node:sqlite warns at every start. The Node version is pinned.
  '--disable-warning=ExperimentalWarning',
  // Whatever a body contains, `__proto__` changes no prototype (SEC-41).
  '--disable-proto=throw',
  // Requests leave little garbage: half the memory under load.
  '--max-semi-space-size=2',
]

/** Keeps variables that are already set. */
export function serverEnv(env = process.env, folder = process.cwd()) {
  return {
    // Password hashes use the pool, one per core. Two threads stay free for files and DNS.
    UV_THREADPOOL_SIZE: String(Math.max(4, availableParallelism() + 2)),
    // The next start needs no compiler.
    NODE_COMPILE_CACHE: join(folder, 'node_modules/.cache/compiled'),
    // The Linux allocator would keep free memory for every thread that hashed or compressed.
    MALLOC_ARENA_MAX: '2',
    ...env,
  }
}
