import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal, root } from './child.mjs'
import type { Arguments } from './tests/arguments.ts'
import { readArguments } from './tests/arguments.ts'
import { runJourneys } from './tests/journeys.ts'
import { openLanes } from './tests/lanes.ts'
import { runFaults, runUnitTests } from './tests/node-tests.ts'
import type { Page } from './tests/pages.ts'
import { openPages } from './tests/pages.ts'
import { headingText } from './tests/print.ts'
import type { Runner, Tally } from './tests/tally.ts'
import { add, falseSuccess, nothing } from './tests/tally.ts'
import { runWebTests } from './tests/web.ts'

const runners = {
  unit: { heading: 'Units and protocol (node:test)', run: runUnitTests },
  web: { heading: 'Screens (Vitest)', run: runWebTests },
  faults: { heading: 'Faults of the built product (node:test)', run: runFaults },
  e2e: { heading: 'Journeys in a browser (Playwright)', run: runJourneys },
} as const satisfies Record<string, { heading: string; run: Runner }>

type Name = keyof typeof runners

/** Lanes run at the same time, so that what waits for a page, a process or a fault leaves no core idle. */
const LANES: readonly (readonly Name[])[] = [['unit'], ['web', 'faults'], ['e2e']]

/** Minutes that everything together may take: a run that hangs must fail before the CI job times out. */
const PATIENCE = { some: 60, all: 150 }

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  try {
    const total = await runAll(readArguments(args, Object.keys(runners)))
    printTotal(total)
    return total.failed > 0 ? 1 : 0
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    console.error(error.message)
    return 1
  }
}

async function runAll({ name: only, pattern, all, seed }: Arguments): Promise<Tally> {
  process.env.TEST_SEED = String(seed)
  process.env.TEST_ALL = String(all)
  // Many tests start the server as a process of its own: it is compiled once.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/my-app-tests')
  console.log(`${all ? 'Nothing is left out' : 'Some tests take a sample'}; the seed is ${seed}.`)
  const names = LANES.map((lane) => lane.filter((name) => only === undefined || only === name))
  const pages = openPages(names.flat(), (text) => process.stdout.write(text))
  const scratch = await mkdtemp(join(tmpdir(), 'my-app-tests-'))
  const lanes = openLanes(names, async (name) => {
    const tally = await runOne(name, pattern, scratch, pages[name])
    pages[name].end()
    return tally
  })
  const patience = setTimeout(() => giveUp(pages, lanes.total()), PATIENCE[all ? 'all' : 'some'] * 60_000)
  try {
    await lanes.ended
    return lanes.total()
  } finally {
    clearTimeout(patience)
    await rm(scratch, { recursive: true, force: true })
  }
}

/** What keeps a runner from starting is told, and the other runners still run. */
async function runOne(name: Name, pattern: string, scratch: string, { write }: Page): Promise<Tally> {
  const { heading, run } = runners[name]
  write(headingText(heading))
  try {
    const ending = await run(pattern, scratch, write)
    const reason = falseSuccess(ending)
    if (reason === undefined) return ending.tally
    write(`${name}: ${reason}\n`)
    return { ...ending.tally, failed: 1 }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    write(`${error.message}\n`)
    return { ...nothing, failed: 1 }
  }
}

function printTotal({ passed, failed, skipped }: Tally): void {
  console.log(`\n${skipped > 0 ? `${skipped} skipped\n` : ''}${passed} passed, ${failed} failed`)
}

function giveUp(pages: Readonly<Record<string, Page>>, total: Tally): void {
  for (const page of Object.values(pages)) page.end()
  console.error('\nThe tests did not end in time: what has not ended above hangs.')
  printTotal(add(total, { ...nothing, failed: 1 }))
  process.exit(1)
}
