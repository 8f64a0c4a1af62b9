import { defineProduct } from '@ostiary/server'
import * as config from '../app.config.ts'
import { api } from './server/api.ts'
import { settings } from './server/settings.ts'

/** Read by every command, test, build and worker. Starts nothing. */
export default defineProduct({
  config,
  demo: () => import('@ostiary/demo/server'),
  settings,
  api,
})
