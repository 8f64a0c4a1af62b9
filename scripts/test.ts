import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from './child.mjs'
import { runJourneys } from './tests/journeys.ts'
import { printHeading } from './tests/print.ts'
import type { Tally } from './tests/tally.ts'
import { add, honest, nothing } from './tests/tally.ts'
import { runUnitTests } from './tests/unit.ts'
import { runWebTests } from './tests/web.ts'

type Runner = (pattern: string, scratch: string) => Promise<Tally>

const runners: Readonly<Record<string, { heading: string; run: Runner }>> = {
  unit: {
    heading: 'Units and protocol (node --test)',
    run: async (pattern, scratch) => honest('unit', await runUnitTests(pattern, scratch), 0),
  },
  web: { heading: 'Screens (Vitest)', run: runWebTests },
  e2e: { heading: 'Journeys in a browser (Playwright)', run: runJourneys },
}

/** Milliseconds that everything together may take: a run that hangs must fail before whoever waits for it gives up. */
const PATIENCE = 30 * 60_000

let total = nothing

setTimeout(giveUp, PATIENCE).unref()
process.exitCode = await main(process.argv.slice(2))

async function main([name, pattern = '', ...rest]: string[]): Promise<number> {
  const known = name === undefined || Object.hasOwn(runners, name)
  if (!known || rest.length > 0) {
    console.error(`What to test is unit, web or e2e, then a part of a path: npm test -- unit storage`)
    return 1
  }
  const scratch = await mkdtemp(join(tmpdir(), 'my-app-tests-'))
  try {
    await runAll(name ? [name] : Object.keys(runners), pattern, scratch)
    printTotal(total)
    return total.failed > 0 ? 1 : 0
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function runAll(names: readonly string[], pattern: string, scratch: string): Promise<void> {
  for (const name of names) {
    const runner = runners[name]
    if (runner) total = add(total, await runOne(runner, pattern, scratch))
  }
}

function printTotal({ passed, failed, skipped }: Tally): void {
  console.log(`\n${skipped > 0 ? `${skipped} skipped\n` : ''}${passed} passed, ${failed} failed`)
}

function giveUp(): void {
  console.error(`\nThe tests did not end within ${PATIENCE / 60_000} minutes: the part that runs now hangs.`)
  printTotal(add(total, { ...nothing, failed: 1 }))
  process.exit(1)
}

/** What keeps a runner from starting is told, and the other runners still run. */
async function runOne({ heading, run }: { heading: string; run: Runner }, pattern: string, scratch: string) {
  printHeading(heading)
  try {
    return await run(pattern, scratch)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    console.error(error.message)
    return { ...nothing, failed: 1 }
  }
}
