import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { root } from '../root.ts'

/** For tests, as `npm ci` does in a minute: the packages of `vendor/`, and links to those of this repository. */
export function installLinked(product: string): void {
  for (const path of globSync('node_modules/{*,@*/*,.bin}', { cwd: root })) {
    if (/node_modules\/@[^/]+$|\/@(ostiary|my-app)\//.test(path)) continue
    mkdirSync(dirname(join(product, path)), { recursive: true })
    symlinkSync(join(root, path), join(product, path))
  }
  for (const file of readdirSync(join(product, 'vendor')))
    installPackage(product, join(product, 'vendor', file))
  // As npm writes it if everything is as locked.
  cpSync(join(product, 'package-lock.json'), join(product, 'node_modules/.package-lock.json'))
}

/** Returns the package's folder. */
export function installPackage(product: string, tarball: string): string {
  const folder = join(product, 'node_modules/@ostiary', basename(tarball).replace(/^ostiary-|-\d.*$/g, ''))
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder])
  return folder
}
