import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// First, so that the next start reads compiled modules from this cache.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/my-app'))
const { run } = await import('./start/run.ts')
await run(process.argv.slice(2))
