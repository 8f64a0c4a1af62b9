import { resolve } from 'node:path'

/**
 * The root of the repository, product or image. `src` and `dist` have the same depth. An installed package runs only
 * in development, from the product's folder.
 */
export const repositoryRoot = /[/\\]node_modules[/\\]/.test(import.meta.dirname)
  ? process.cwd()
  : resolve(import.meta.dirname, '../../..')
