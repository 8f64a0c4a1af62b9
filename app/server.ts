import { defineProduct } from '@ostiary/server'
import * as config from '../app.config.ts'
import { api } from './server/api.ts'
import { metrics } from './server/code-host/metrics.ts'
import { scenarios } from './server/code-host/scenarios.ts'
import { settings } from './server/settings.ts'

/** Read by every command, test, build and worker. Starts nothing. */
export default defineProduct({
  config,
  demo: () => import('@ostiary/demo/server'),
  settings,
  api,
  metrics,
  policy: { img: ['https://avatars.githubusercontent.com'] },
  demoSwitches: { github: scenarios },
})
