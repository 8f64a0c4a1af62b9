import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal, root, runChild } from './child.mjs'

/** @typedef {'web' | 'server'} Name */

/**
 * @typedef {object} Build
 * @property {string} title
 * @property {string} script
 * @property {string} result a file that exists once it is built
 * @property {readonly string[]} sources
 */

const here = fileURLToPath(import.meta.url)
/** Undefined if the packages are installed. */
const packages = here.includes('node_modules') ? undefined : resolve(here, '../../..')

/**
 * The folders of packages in the same repository. Empty in a product, which installs them.
 * @param {string[]} names default: all
 */
export function linkedPackages(...names) {
  if (packages === undefined) return []
  return names.length === 0 ? [packages] : names.map((name) => join(packages, name))
}

/** Files that pages and server import. */
export const sharedFiles = ['app.config.ts', 'app/texts.ts', 'app/schemas.ts'].filter((path) =>
  existsSync(join(root, path)),
)

/** @param {string} entry of a package, which builds the product in the present folder */
const buildScript = (entry) => fileURLToPath(import.meta.resolve(entry))

/** The files of the identity service that the pages and their build import. */
const inPages = ['devices/device-name', 'input/readable-address', 'theme'].map(
  (name) => `identity/src/${name}.ts`,
)

/** @type {Readonly<Record<Name, Build>>} */
const builds = {
  web: {
    title: 'the web app',
    script: buildScript('@ostiary/ui/build'),
    result: 'app/web/dist/routes.json',
    sources: [...sharedFiles, 'app/web', ...linkedPackages('react', 'ui', 'admin', 'demo', ...inPages)],
  },
  server: {
    title: 'the server',
    script: buildScript('@ostiary/server/build'),
    result: 'app/dist/server/main.mjs',
    sources: [...sharedFiles, 'app/main.ts', 'app/server.ts', 'app/server', ...linkedPackages()],
  },
}

/**
 * Returns whether the builds match the current sources.
 * @param {readonly Name[]} names
 */
export function isBuilt(names) {
  return names.every((name) => isMade(builds[name]))
}

/**
 * Rebuilds whatever changed since the last build.
 * @param {string} node path of the Node to build with
 * @param {readonly Name[]} names
 */
export async function buildAll(node, names = ['web', 'server']) {
  await Promise.all(names.map((name) => buildOnce(node, builds[name])))
}

/**
 * Builds, unless the result is that of the current sources.
 * @param {string} node
 * @param {Build} build
 */
export async function buildOnce(node, build) {
  if (isMade(build)) return
  console.log(`Building ${build.title} …`)
  const sources = hashSources(build)
  const { code, stopped } = await runChild(node, [
    '--disable-warning=ExperimentalWarning',
    resolve(root, build.script),
  ])
  if (stopped) process.exit(code)
  if (code !== 0) throw new Refusal(`${build.title} could not be built; the reason is above.`)
  writeFileSync(stampOf(build), sources)
}

/** @param {Build} build */
function isMade(build) {
  if (!existsSync(join(root, build.result))) return false
  // An image may contain the build without its sources.
  if (!build.sources.every((source) => existsSync(resolve(root, source)))) return true
  const stamp = stampOf(build)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashSources(build)
}

/** @param {Build} build */
function stampOf({ result }) {
  return join(root, result, '..', '.sources')
}

/**
 * Compares contents, because a fresh clone or a branch switch touches every modification time.
 * @param {Build} build
 */
function hashSources({ sources }) {
  // For the version number.
  const hash = createHash('sha256').update(process.env.COMMIT ?? '')
  const files = sources.flatMap((source) => listFiles(resolve(root, source)))
  for (const file of [join(root, 'package-lock.json'), ...files].filter(existsSync)) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function listFiles(path) {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .filter((name) => !['dist', 'node_modules'].includes(name) && !/^\.|\.test\./.test(name))
    .sort()
    .flatMap((name) => listFiles(join(path, name)))
}
