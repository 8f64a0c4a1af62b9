import { Refusal } from './child.mjs'
import { runPlaywright } from './tests/journeys.ts'

try {
  process.exitCode = await runPlaywright('screens.config.ts', ['--reporter=line', ...process.argv.slice(2)])
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(error.message)
  process.exitCode = 1
}
