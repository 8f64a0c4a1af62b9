import product from '../../../app/server.ts'
import type { Settings } from '../src/settings/env.ts'
import { readSettings as readFrom } from '../src/settings/env.ts'

/** Of the product in `app/server.ts`. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  return readFrom(product, env)
}
