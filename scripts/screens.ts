import { runMain } from '@ostiary/server/commands'
import { runPlaywright } from './tests/journeys.ts'

await runMain(() => runPlaywright('screens.config.ts', ['--reporter=line', ...process.argv.slice(2)]))
