// Before a build. The argument is the exit code for invalid settings.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { invalidSettings } from '@ostiary/server/settings-report'
import { root } from './child.mjs'

const { default: product } = await import(pathToFileURL(join(root, 'app/server.ts')).href)
const report = invalidSettings(product)
if (report !== undefined) {
  process.stdout.write(report)
  process.exitCode = Number(process.argv[2])
}
