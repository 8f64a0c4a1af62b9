import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'
import { writeCreateOstiary } from './create-ostiary.ts'
import { mirrorPackage } from './mirror.ts'
import { writeProductDocuments } from './product-documents.ts'

/** Folders of sources, by package. Identity and conformance have their own builds. */
const MIRRORED: Readonly<Record<string, readonly string[]>> = {
  'identity-server': ['src'],
  kratos: ['src'],
  server: ['src', 'build', 'commands', 'journeys'],
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
  run('packages/identity/build/build.ts')
  const dists = Object.entries(MIRRORED).map(([name, parts]) => mirrorPackage(`packages/${name}`, parts))
  writeProductDocuments(join(root, 'packages/server/dist/docs'))
  run('packages/conformance/build.ts')
  const built = ['identity', 'conformance'].map((name) => join(root, 'packages', name, 'dist'))
  for (const dist of [...built, ...dists, writeCreateOstiary()])
    execFileSync('npm', ['pack', dist, '--pack-destination', folder, '--loglevel=error'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
}

function run(script: string): void {
  execFileSync(process.execPath, [join(root, script)], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

packAll()
console.log(`The packages are in ${folder}.`)
