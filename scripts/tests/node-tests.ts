import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { SERVER_VARIABLE, startPostgres } from '@my-app/identity/testing/postgres-server'
import { root } from '../child.mjs'
import type { FileResult } from './pool.ts'
import { runInPool } from './pool.ts'
import { figuresText, fileText } from './print.ts'
import type { Ending, Runner } from './tally.ts'

const UNITS = ['*.test.ts', '{scripts,app/server,packages,bench}/**/*.test.ts']
const FAULTS = ['e2e/faults/*.test.ts']
/** Files of faults in a run that leaves cases out: each takes some seconds of the processor. */
const SOME_FAULTS = 3
/** The ends of the paths of what takes longest: it begins first, so that no core waits for it at the end. */
const LONGEST = [
  'processes.test.ts',
  'main.test.ts',
  'start.test.ts',
  'recovery-sequences.test.ts',
  'enumeration.test.ts',
  'flows.test.ts',
  'test/workers.test.ts',
  'transfer.test.ts',
  'backup.test.ts',
]
/** Milliseconds that one file may take: the longest of them needs minutes where nothing is left out. */
const PATIENCE = { some: 1_200_000, all: 3_600_000 }

/** Runs the tests of units and of the protocol. */
export const runUnitTests: Runner = async (pattern, _scratch, print) => {
  const postgres = await startPostgres()
  process.env[SERVER_VARIABLE] = postgres?.url ?? ''
  try {
    // Two more than cores: while some wait for a lock or for another process, the next files go on.
    const size = availableParallelism() + 2
    return await runFiles(find(UNITS, pattern), size, (result) => print(fileText(result)))
  } finally {
    await postgres?.stop()
  }
}

/** Runs the faults, one at a time because they measure, and prints the figures of each: some files, where none is named. */
export const runFaults: Runner = async (pattern, _scratch, print) => {
  // Reads what this run was asked for when it is loaded.
  const { few } = await import('@my-app/identity/testing/sample')
  const files = find(FAULTS, pattern)
  const chosen = pattern === '' ? few('faults', files, SOME_FAULTS) : files
  return await runFiles(chosen, 1, (result) => print(`${fileText(result)}${figuresText(result)}`))
}

function find(places: readonly string[], pattern: string): string[] {
  const found = globSync(places, { cwd: root, exclude: ['**/node_modules/**'] })
  return found.filter((file) => file.includes(pattern)).sort(longestFirst)
}

async function runFiles(
  files: readonly string[],
  size: number,
  show: (result: FileResult) => void,
): Promise<Ending> {
  const patience = process.env.TEST_ALL === 'true' ? PATIENCE.all : PATIENCE.some
  const tally = { passed: 0, failed: 0, skipped: 0 }
  await runInPool(files, { size, patience }, (result) => {
    for (const { verdict } of result.verdicts) tally[verdict] += 1
    show(result)
  })
  return { tally, exitCode: 0 }
}

function longestFirst(a: string, b: string): number {
  const place = (file: string) => {
    const known = LONGEST.findIndex((end) => file.endsWith(`/${end}`))
    return known === -1 ? LONGEST.length : known
  }
  return place(a) - place(b) || a.localeCompare(b, 'en')
}
