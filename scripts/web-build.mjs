import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Refusal, root, runChild } from './child.mjs'

const web = join(root, 'web')
const stamp = join(web, 'dist', '.sources')

/** Whether web/dist was made from the sources as they are now. */
export function isWebBuilt() {
  if (!existsSync(join(web, 'dist', 'routes.json'))) return false
  // An image may carry the build without its sources.
  if (!existsSync(join(web, 'src'))) return true
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashSources()
}

/**
 * Builds the web app if its sources changed since the last time.
 * @param {string} node the Node to build with
 */
export async function buildWeb(node) {
  if (isWebBuilt()) return
  console.log('Building the web app …')
  const sources = hashSources()
  const { code, stopped } = await runChild(node, [join(web, 'build', 'build.ts')])
  if (stopped) process.exit(code)
  if (code !== 0) throw new Refusal('The web app could not be built; the reason is above.')
  writeFileSync(stamp, sources)
}

// By content, not by time: a fresh clone or a change of branch touches every file.
function hashSources() {
  const hash = createHash('sha256')
  for (const file of [join(root, 'package-lock.json'), ...listFiles(web)].filter(existsSync)) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !['dist', 'node_modules'].includes(name) && !/^\.|\.test\./.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? listFiles(path) : [path]
    })
}
