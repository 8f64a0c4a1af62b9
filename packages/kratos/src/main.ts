import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// First, as in packages/server/src/main.ts.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'))
const { run } = await import('./command/run.ts')
await run(process.argv.slice(2))
