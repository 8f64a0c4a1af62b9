import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Refusal, root, runChild } from './child.mjs'

/** @typedef {'web' | 'server' | 'packages'} Name */

/**
 * @typedef {object} Build
 * @property {Name} name
 * @property {string} title
 * @property {string} script
 * @property {string} result a file that exists once it is built
 * @property {string[]} sources
 */

/** Packages are folders of this repository, or installed in a product. */
export const isRepository = existsSync(join(root, 'packages/server/src'))

/**
 * @param {string} name
 * @param {string} file without its extension
 */
function scriptOf(name, file) {
  return isRepository ? `packages/${name}/${file}.ts` : `node_modules/@ostiary/${name}/${file}.js`
}

/** @param {string[]} paths */
const own = (...paths) => (isRepository ? paths : [])

/** @type {readonly Build[]} */
const builds = [
  {
    name: 'web',
    title: 'the web app',
    script: scriptOf('ui', 'vite/build'),
    result: 'app/web/dist/routes.json',
    sources: [
      ...['app.config.ts', 'app/texts.ts', 'app/web'],
      ...own('packages/ui', 'packages/admin', 'packages/demo'),
    ],
  },
  {
    name: 'server',
    title: 'the server',
    script: scriptOf('server', 'build/build'),
    result: 'app/dist/server/main.mjs',
    sources: ['app.config.ts', 'app/main.ts', 'app/server.ts', 'app/server', ...own('packages')],
  },
  {
    name: 'packages',
    title: 'the packages',
    script: 'scripts/pack/pack.ts',
    result: 'dist/packages/ostiary-ui-1.0.0.tgz',
    sources: ['packages', 'scripts/pack'],
  },
]

/**
 * Returns whether the builds match the current sources.
 * @param {readonly Name[]} names
 */
export function isBuilt(names) {
  return builds.filter(({ name }) => names.includes(name)).every(isMade)
}

/**
 * Rebuilds whatever changed since the last build.
 * @param {string} node path of the Node to build with
 * @param {readonly Name[]} names
 */
export async function buildAll(node, names = ['web', 'server']) {
  const changed = builds.filter((build) => names.includes(build.name) && !isMade(build))
  await Promise.all(changed.map((build) => buildOne(node, build)))
}

/**
 * @param {string} node
 * @param {Build} build
 */
async function buildOne(node, build) {
  console.log(`Building ${build.title} …`)
  const sources = hashSources(build)
  const { code, stopped } = await runChild(node, [
    '--disable-warning=ExperimentalWarning',
    join(root, build.script),
  ])
  if (stopped) process.exit(code)
  if (code !== 0) throw new Refusal(`${build.title} could not be built; the reason is above.`)
  writeFileSync(stampOf(build), sources)
}

/** @param {Build} build */
function isMade(build) {
  if (!existsSync(join(root, build.result))) return false
  // An image may contain the build without its sources.
  if (!build.sources.every((source) => existsSync(join(root, source)))) return true
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
  const files = sources.flatMap((source) => listFiles(join(root, source)))
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
