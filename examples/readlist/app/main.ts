import { run } from '@ostiary/server/run'
import product from './server.ts'

await run(product, process.argv.slice(2))
