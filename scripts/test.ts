import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from './child.mjs'
import { readArguments } from './tests/arguments.ts'
import { runJourneys } from './tests/journeys.ts'
import { printHeading } from './tests/print.ts'
import type { Tally } from './tests/tally.ts'
import { add, honest, nothing } from './tests/tally.ts'
import { runUnitTests } from './tests/unit.ts'
import { runWebTests } from './tests/web.ts'

type Runner = (pattern: string, scratch: string) => Promise<Tally>

const runners: Readonly<Record<string, { heading: string; run: Runner }>> = {
  unit: {
    heading: 'Units and protocol (node:test)',
    run: async (pattern) => honest('unit', await runUnitTests(pattern), 0),
  },
  web: { heading: 'Screens (Vitest)', run: runWebTests },
  e2e: { heading: 'Journeys in a browser (Playwright)', run: runJourneys },
}

/** Milliseconds that everything together may take: a run that hangs must fail before the CI job times out. */
const PATIENCE = 30 * 60_000

let total = nothing

setTimeout(giveUp, PATIENCE).unref()
process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  try {
    await runAll(args)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    console.error(error.message)
    return 1
  }
  printTotal(total)
  return total.failed > 0 ? 1 : 0
}

async function runAll(args: string[]): Promise<void> {
  const names = Object.keys(runners)
  const { name: only, pattern, all, seed } = readArguments(args, names)
  process.env.TEST_SEED = String(seed)
  process.env.TEST_ALL = String(all)
  console.log(all ? 'Nothing is left out.' : `The samples are those of the seed ${seed}.`)
  const scratch = await mkdtemp(join(tmpdir(), 'my-app-tests-'))
  try {
    for (const name of only === undefined ? names : [only]) {
      const runner = runners[name]
      if (runner) total = add(total, await runOne(runner, pattern, scratch))
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
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
