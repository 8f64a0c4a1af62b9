// For scripts/run.mjs, before it installs and builds.

import product from '../app/server.ts'
import { StartError } from '../packages/server/src/http/errors.ts'
import { readSettings } from '../packages/server/src/settings/env.ts'

try {
  readSettings(product)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stdout.write(error.message)
  process.exitCode = Number(process.argv[2])
}
