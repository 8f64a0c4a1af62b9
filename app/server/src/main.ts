import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Before anything else is loaded: the second start reads the compiled modules, types already stripped, from here.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/my-app'))
const { run } = await import('./start/run.ts')
await run(process.argv.slice(2))
