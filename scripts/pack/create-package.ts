import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copySources } from '../new/create.ts'
import { root } from '../root.ts'
import { compile } from './mirror.ts'

/** Writes the folder to publish as `npm create @ostiary`: `npm run new`, with the files that it copies. */
export function writeCreatePackage(): string {
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
