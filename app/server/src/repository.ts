import { resolve } from 'node:path'

/** Or of the image. `src` and `dist` have the same depth. */
export const repositoryRoot = resolve(import.meta.dirname, '../../..')
