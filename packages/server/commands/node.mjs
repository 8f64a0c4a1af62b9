import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { Refusal, root, runChild } from './child.mjs'

const OLDEST_NODE = 24

const { resolve } = createRequire(join(root, 'package.json'))

/**
 * The path of a file in an installed package. Also finds the packages of a workspace around the product.
 * @param {string} name
 * @param {string} file
 */
export function fileOf(name, file) {
  return join(dirname(resolve(`${name}/package.json`)), file)
}

/**
 * @param {string[]} args
 * @param {(text: string) => void} print
 */
export async function runNpm(args, print) {
  const { npm_execpath: script, npm_node_execpath: node = process.execPath } = process.env
  if (script && basename(script).startsWith('npm-cli'))
    return await runChild(node, [script, ...args], process.env, print)
  if (process.platform === 'win32')
    return await runChild('cmd', ['/d', '/c', 'npm', ...args], process.env, print)
  return await runChild('npm', args, process.env, print)
}

/** Pinned by the lockfile, or the running one if new enough. */
export function findNode() {
  const windows = process.platform === 'win32'
  try {
    const pinned = fileOf(
      `node-${windows ? 'win' : process.platform}-${process.arch}`,
      windows ? 'bin/node.exe' : 'bin/node',
    )
    return existsSync(pinned) ? pinned : ownNode()
  } catch {
    return ownNode()
  }
}

/** Throws if it is too old to run TypeScript. */
export function ownNode() {
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return process.execPath
  throw new Refusal(
    `The app needs Node.js ${OLDEST_NODE} or newer on this platform (${process.platform} ${process.arch}); this is ${process.versions.node}. Install it from https://nodejs.org and try again.`,
  )
}
