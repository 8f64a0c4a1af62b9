// For the Dockerfile and the tests.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Refusal, root, runMain } from './child.mjs'
import { runNpm } from './node.mjs'

/** Nothing in an image installs or compiles. */
const files = [
  'app/dist/server',
  'app/web/dist',
  // With machine code, and the passkey verifier.
  'node_modules/@node-rs',
  ...foldersOf('@simplewebauthn/server'),
  'package.json',
  // A product may have none.
  ...['LICENSE'].filter((file) => existsSync(join(root, file))),
]

await runMain(() => assemble(process.argv[2]))

/** @param {string | undefined} name */
async function assemble(name) {
  if (name === undefined) throw new Refusal('Name the folder to write: npm run image -- FOLDER')
  const folder = resolve(process.env.INIT_CWD ?? '.', name)
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Refusal(`${folder} is not empty. Empty it, or name a new folder.`)
  for (const file of files) cpSync(join(root, file), join(folder, file), { recursive: true })
  for (const script of ['serve.mjs', 'server-process.mjs', 'commands.mjs'])
    cpSync(new URL(script, import.meta.url), join(folder, 'scripts', script))
  // The Node that the lockfile pins.
  cpSync(process.execPath, join(folder, 'bin/node'))
  writeFileSync(join(folder, 'sbom.json'), await listComponents())
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licenses())
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
  const packages = lockedPackages()
  const found = new Set([name])
  for (const one of found)
    for (const needed of Object.keys(packages[`node_modules/${one}`]?.dependencies ?? {})) found.add(needed)
  return [...found].map((one) => `node_modules/${one}`)
}

/** @returns {Record<string, { dev?: boolean, link?: boolean, dependencies?: Record<string, string> }>} */
function lockedPackages() {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
}

/**
 * The installed packages of a running app, bundled or not.
 * @returns {{ path: string, name: string, version: string, license: string }[]}
 */
function runtimePackages() {
  return Object.entries(lockedPackages())
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path]) => join(root, path))
    .filter(existsSync)
    .map((path) => ({ path, ...JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) }))
}

/** CycloneDX. `npm sbom --omit dev` would also omit what development needs too, such as React. */
async function listComponents() {
  let text = ''
  const { code } = await runNpm(['sbom', '--sbom-format', 'cyclonedx'], (part) => {
    text += part
  })
  if (code !== 0) throw new Refusal('npm sbom failed.')
  const kept = new Set(runtimePackages().map(({ name, version }) => `${name}@${version}`))
  /** @type {{ components: { 'bom-ref': string }[], dependencies: { ref: string, dependsOn: string[] }[] }} */
  const bom = JSON.parse(text)
  const components = bom.components.filter((component) => kept.has(component['bom-ref']))
  const dependencies = bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }))
  return `${JSON.stringify({ ...bom, components, dependencies }, null, 2)}\n`
}

function licenses() {
  return runtimePackages()
    .map(({ path, name, version, license }) => {
      const texts = readdirSync(path)
        .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
        .map((file) => readFileSync(join(path, file), 'utf8').trim())
      return [`${name} ${version} (${license})`, ...texts].join('\n\n')
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`)
}
