// The public entry.

/** @typedef {import('./commands.mjs').Command} Command */

export { buildAll, buildOnce } from './builds.mjs'
export { Refusal, runChild, runMain } from './child.mjs'
export { runCommand } from './run.mjs'
export { serverEnv, serverFlags } from './server-process.mjs'
