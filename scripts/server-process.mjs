// How a server is started: the same for operators, for tests and for the benchmark.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { root } from './child.mjs'

export const serverFlags = [
  // node:sqlite warns on every start that it is experimental. We know, and pin the Node that contains it.
  '--disable-warning=ExperimentalWarning',
  // Requests leave little garbage, so a small nursery is enough: it halves the memory under load.
  '--max-semi-space-size=2',
]

/** The environment of a server; what is set already stays. */
export function serverEnv(env = process.env) {
  return {
    // Password hashes run on Node's thread pool, as many at a time as there are cores; two threads stay free
    // for files and DNS, or a burst of sign-ins would delay everything else.
    UV_THREADPOOL_SIZE: String(Math.max(4, availableParallelism() + 2)),
    // Compiled modules, types already stripped: the next start needs neither the compiler nor its memory.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/my-app'),
    // Linux' allocator otherwise keeps free memory for every thread that ever hashed or compressed.
    MALLOC_ARENA_MAX: '2',
    ...env,
  }
}
