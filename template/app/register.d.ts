import type { OwnTraits } from '@ostiary/server'
import type * as config from '../app.config.ts'
import type { OwnApi } from './server/api.ts'
import type { settings } from './server/settings.ts'

declare module '@ostiary/server' {
  interface Register {
    readonly config: typeof config
    readonly settings: typeof settings
    readonly api: OwnApi
  }
}

declare module '@ostiary/react' {
  interface Register {
    readonly traits: OwnTraits
  }
}
