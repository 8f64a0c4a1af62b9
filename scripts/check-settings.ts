// For scripts/run.mjs, before it installs and builds.

import { invalidSettings } from '@ostiary/server/settings-report'
import product from '../app/server.ts'

const report = invalidSettings(product)
if (report !== undefined) {
  process.stdout.write(report)
  process.exitCode = Number(process.argv[2])
}
