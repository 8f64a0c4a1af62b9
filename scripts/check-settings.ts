// For scripts/run.mjs, before it installs and builds.
import { StartError } from '../app/server/src/http/errors.ts'
import { readSettings } from '../app/server/src/settings/env.ts'

try {
  readSettings()
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stdout.write(error.message)
  process.exitCode = Number(process.argv[2])
}
