// The public entry.

/** @typedef {import('./commands.mjs').Command} Command */

export { findBrowser, installBrowser } from './browser.mjs'
export { buildAll, buildOnce } from './builds.mjs'
export { Refusal, runChild, runMain } from './child.mjs'
export { runCommand } from './run.mjs'
export { serverEnv, serverFlags } from './server-process.mjs'
