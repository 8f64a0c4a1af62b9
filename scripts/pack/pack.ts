import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'
import { writeCreatePackage } from './create-package.ts'
import { mirrorPackage } from './mirror.ts'
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

function distOf(name: string): string {
  return join(root, 'packages', name, 'dist')
}

function runScript(script: string): void {
  execFileSync(process.execPath, [join(root, script)], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

packAll()
console.log(`The packages are in ${folder}.`)
