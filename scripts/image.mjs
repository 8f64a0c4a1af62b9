// For the Dockerfile and the tests.
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Refusal, root } from './child.mjs'

/** Nothing in an image installs or compiles. */
const files = [
  'app/server/dist',
  'app/web/dist',
  // With machine code, and the passkey verifier.
  'node_modules/@node-rs',
  ...foldersOf('@simplewebauthn/server'),
  'scripts/serve.mjs',
  'scripts/server-process.mjs',
  'scripts/child.mjs',
  'package.json',
  'LICENSE',
]

try {
  assemble(process.argv[2])
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(error.message)
  process.exitCode = 1
}

/** @param {string | undefined} name */
function assemble(name) {
  if (name === undefined) throw new Refusal('Name the folder to write: npm run image -- FOLDER')
  const folder = resolve(process.env.INIT_CWD ?? '.', name)
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Refusal(`${folder} is not empty. Empty it, or name a new folder.`)
  for (const file of files) cpSync(join(root, file), join(folder, file), { recursive: true })
  // The Node that the lockfile pins.
  cpSync(process.execPath, join(folder, 'bin/node'))
  console.log(
    `Wrote ${folder}. Start it with ${folder}/bin/node ${folder}/scripts/serve.mjs; --help lists its commands and settings.`,
  )
}

/**
 * Returns the folders of a package and its transitive dependencies.
 * @param {string} name
 * @returns {string[]}
 */
function foldersOf(name) {
  /** @type {{ packages: Record<string, { dependencies?: Record<string, string> }> }} */
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const found = new Set([name])
  for (const one of found)
    for (const needed of Object.keys(packages[`node_modules/${one}`]?.dependencies ?? {})) found.add(needed)
  return [...found].map((one) => `node_modules/${one}`)
}
