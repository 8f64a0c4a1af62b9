import { resolve } from 'node:path'

/** The root of the repository, or of an image: from the sources as from the bundle in `dist/`. */
export const repositoryRoot = resolve(import.meta.dirname, '../../..')
