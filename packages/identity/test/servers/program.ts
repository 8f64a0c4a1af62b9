import { join } from 'node:path'

/** `npm test` builds it first, because it starts three times faster than the sources. */
export const program = join(import.meta.dirname, '../../../../app/dist/server/identity.mjs')
