import { resolve } from 'node:path'

/** The root of the repository or image. `src` and `dist` have the same depth. */
export const repositoryRoot = resolve(import.meta.dirname, '../../..')
