import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, styleText } from 'node:util'
import { Refusal, runMain } from '@ostiary/server/commands'
import { root } from './root.ts'
import { runJourneys } from './tests/journeys.ts'
import { runFaults, runRelease, runUnitTests } from './tests/node-tests.ts'
import { type Ending, nothing, type Runner, type Selection, type Tally } from './tests/runner.ts'
import { runWebTests } from './tests/web.ts'

const runners = {
  unit: { heading: 'Units and protocol (node:test)', run: runUnitTests },
  web: { heading: 'Screens (Vitest)', run: runWebTests },
  faults: { heading: 'Faults of the built product (node:test)', run: runFaults },
  e2e: { heading: 'Journeys in a browser (Playwright)', run: runJourneys },
  release: { heading: 'A release (node:test)', run: runRelease },
} as const satisfies Record<string, { heading: string; run: Runner }>

type Name = keyof typeof runners

/** Without a name. The last lane mostly waits, so it leaves the cores to the others. */
const LANES: readonly (readonly Name[])[] = [['unit'], ['e2e'], ['web', 'faults']]

/** Minutes. A hanging run must fail before the CI job times out. */
const PATIENCE = { some: 60, all: 150 }

const USAGE =
  'Usage: npm test -- [unit|web|faults|e2e [PATTERN]] [-t TITLE] [--all] [--seed NUMBER]. npm test -- --help explains them.'

await runMain(() => main(process.argv.slice(2)))

async function main(args: string[]): Promise<number> {
  const { name, seed, ...selection } = readArguments(args)
  process.env.TEST_SEED = String(seed)
  process.env.TEST_ALL = String(selection.all)
  process.env.TEST_TURN = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout
  // Compiled once for all servers.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/my-app-tests')
  console.log(`${selection.all ? 'Running every case' : 'Running a sample of the cases'}; seed ${seed}.`)
  const total = await runAll(name, selection)
  printTotal(total)
  return total.failed > 0 ? 1 : 0
}

function readArguments(args: string[]): Selection & { name: Name | undefined; seed: number } {
  const { values, positionals } = parse(args)
  const [name, pattern = '', ...rest] = positionals
  const seed = Number(values.seed)
  if (!isName(name) || rest.length > 0 || !Number.isSafeInteger(seed)) throw new Refusal(USAGE)
  return { name, pattern, title: values.title, all: values.all, seed }
}

function parse(args: string[]) {
  const options = {
    title: { type: 'string', short: 't' },
    all: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  } as const
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch {
    throw new Refusal(USAGE)
  }
}

function isName(name: string | undefined): name is Name | undefined {
  return name === undefined || Object.hasOwn(runners, name)
}

async function runAll(only: Name | undefined, selection: Selection): Promise<Tally> {
  const chosen = only === undefined ? LANES : [[only]]
  const lanes = chosen.map((lane) => ({ lane, held: '', tally: nothing }))
  const scratch = await mkdtemp(join(tmpdir(), 'my-app-tests-'))
  const patience = setTimeout(
    () => {
      for (const { held } of lanes) process.stdout.write(held)
      console.error('\nThe tests did not end in time: what has not ended above hangs.')
      printTotal(lanes.reduce((sum, { tally }) => add(sum, tally), { ...nothing, failed: 1 }))
      process.exit(1)
    },
    PATIENCE[selection.all ? 'all' : 'some'] * 60_000,
  )
  const runningLanes = lanes.map(async (state, n) => {
    // In order, the first lane live.
    const print = (text: string) => {
      if (n === 0) process.stdout.write(text)
      else state.held += text
    }
    for (const name of state.lane) {
      const tally = await runOne(name, selection, scratch, print)
      state.tally = add(state.tally, tally)
    }
  })
  try {
    for (const [n, lane] of lanes.entries()) {
      await runningLanes[n]
      process.stdout.write(lane.held)
      lane.held = ''
    }
  } finally {
    clearTimeout(patience)
    await rm(scratch, { recursive: true, force: true })
  }
  return lanes.reduce((sum, { tally }) => add(sum, tally), nothing)
}

/** A runner that cannot start counts as one failure. */
async function runOne(
  name: Name,
  selection: Selection,
  scratch: string,
  print: (text: string) => void,
): Promise<Tally> {
  const { heading, run } = runners[name]
  print(`\n${styleText('bold', heading)}\n`)
  try {
    const ending = await run(selection, scratch, print)
    const reason = falseSuccess(ending)
    if (reason === undefined) return ending.tally
    print(`${name}: ${reason}\n`)
    return { ...ending.tally, failed: 1 }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    print(`${error.message}\n`)
    return { ...nothing, failed: 1 }
  }
}

/** Why a runner without a failed test is a failure. */
function falseSuccess({ tally: { failed, passed }, exitCode }: Ending): string | undefined {
  if (failed > 0) return undefined
  if (exitCode !== 0) return `exited with code ${exitCode}.`
  return passed > 0 ? undefined : 'no test ran.'
}

function add(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

function printTotal({ passed, failed, skipped }: Tally): void {
  console.log(`\n${skipped > 0 ? `${skipped} skipped\n` : ''}${passed} passed, ${failed} failed`)
}
