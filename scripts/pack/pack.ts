import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copySources } from '../new/create.ts'
import { root } from '../root.ts'
import { compile, mirrorPackage } from './mirror.ts'
import { readShippedDocument, writeProductDocuments } from './product-documents.ts'

/** Folders of sources, by package. Identity and conformance have their own builds. */
const MIRRORED: Readonly<Record<string, readonly string[]>> = {
  'identity-server': ['src'],
  kratos: ['src'],
  server: ['src', 'build', 'commands', 'journeys', 'testing'],
  react: ['src'],
  ui: ['src', 'vite'],
  admin: ['src'],
  demo: ['src', 'server'],
}

const folder = join(root, 'dist/packages')

/** Writes a tarball of each package to publish. */
function packAll(): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  runScript('packages/identity/build/build.ts')
  for (const [name, parts] of Object.entries(MIRRORED)) mirrorPackage(`packages/${name}`, parts)
  writeProductDocuments(join(distOf('server'), 'docs'))
  runScript('packages/conformance/build.ts')
  const names = [...Object.keys(MIRRORED), 'identity', 'conformance']
  for (const name of names)
    writeFileSync(join(distOf(name), 'README.md'), readShippedDocument(`packages/${name}/README.md`))
  for (const dist of [...names.map(distOf), writeCreatePackage()])
    execFileSync('npm', ['pack', dist, '--pack-destination', folder, '--loglevel=error'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
}

/** Writes the folder to publish as `npm create @ostiary`: `npm run new`, with the files that it copies. */
function writeCreatePackage(): string {
  const dist = join(root, 'dist/create')
  rmSync(dist, { recursive: true, force: true })
  // In a separate folder, because npm leaves out the package-lock.json of a package.
  const repository = join(dist, 'repository')
  compile(root, repository, ['scripts/new/new.ts'])
  copySources(repository)
  copyFileSync(join(root, 'scripts/new/README.md'), join(dist, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'))
  writeFileSync(join(dist, 'command.js'), "#!/usr/bin/env node\nimport './repository/scripts/new/new.js'\n")
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
    license: string
  }
  const manifest = {
    name: '@ostiary/create',
    version,
    description: 'Creates a web app with accounts.',
    license,
    type: 'module',
    engines: { node: '>=20' },
    bin: { create: './command.js' },
  }
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  return dist
}

function distOf(name: string): string {
  return join(root, 'packages', name, 'dist')
}

function runScript(script: string): void {
  execFileSync(process.execPath, [join(root, script)], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

packAll()
console.log(`The packages are in ${folder}.`)
