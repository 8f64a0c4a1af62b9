import { parseArgs } from 'node:util'
import { type Figure, reachesGoal, type Scenario } from './figure.ts'
import { median } from './load.ts'
import { describeMachine, machineText } from './machine.ts'
import { findLosses, printTable, writeResults } from './report.ts'
import { coldStart } from './scenarios/cold-start.ts'
import { growth } from './scenarios/growth.ts'
import { hostile } from './scenarios/hostile.ts'
import { memory } from './scenarios/memory.ts'
import { overload } from './scenarios/overload.ts'
import { login, registration, whoami } from './scenarios/rates.ts'
import { replicas } from './scenarios/replicas.ts'

const scenarios: readonly Scenario[] = [
  whoami,
  login,
  registration,
  hostile,
  overload,
  coldStart,
  memory,
  replicas,
  growth,
]

process.exitCode = await main()

async function main(): Promise<number> {
  const { only, compare, ...given } = readArguments()
  const runs = Number(given.runs)
  if (!Number.isInteger(runs) || runs < 1) {
    console.error(`--runs takes a number from 1, for example --runs 3; it was "${given.runs}".`)
    return 1
  }
  const chosenScenarios = scenarios.filter(({ name, onlyByName }) =>
    only === undefined ? !onlyByName : name === only,
  )
  if (chosenScenarios.length === 0) {
    console.error(
      `There is no scenario "${only}". There are: ${scenarios.map(({ name }) => name).join(', ')}.`,
    )
    return 1
  }
  const machine = await describeMachine()
  console.log(machineText(machine))
  const measured: Figure[][] = []
  for (let run = 1; run <= runs; run += 1) {
    const figures: Figure[] = []
    for (const scenario of chosenScenarios) figures.push(...(await measureOne(scenario)))
    measured.push(figures)
    console.log()
  }
  const figures = medians(measured)
  printTable(figures)
  if (compare) return reportLosses(findLosses(figures))
  if (only === undefined) writeResults(machine, runs, figures)
  return figures.every(reachesGoal) ? 0 : 1
}

function readArguments() {
  const options = {
    only: { type: 'string' },
    compare: { type: 'boolean' },
    runs: { type: 'string', default: '1' },
  } as const
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    return { only: positionals[0], ...values }
  } catch (error) {
    console.error(
      `${error instanceof Error ? error.message : error}\nnpm run bench -- --help lists the options.`,
    )
    process.exit(1)
  }
}

/** Once, so that a refused request does not waste half an hour. */
async function measureOne({ name, measure }: Scenario): Promise<readonly Figure[]> {
  console.log(`Measuring ${name} …`)
  try {
    return await measure()
  } catch (error) {
    console.log(`It failed, and is measured again: ${error instanceof Error ? error.message : error}`)
    return await measure()
  }
}

function medians(runs: readonly (readonly Figure[])[]): Figure[] {
  const [first = []] = runs
  return first.map((figure) => {
    const same = runs.flatMap((run) => run.filter(({ name }) => name === figure.name))
    const middle = median(same.map(rank))
    return same.find((one) => rank(one) === middle) ?? figure
  })
}

function rank({ value, limit }: Figure): number {
  return limit === undefined ? value : value / limit
}

function reportLosses(losses: readonly string[]): number {
  console.log(losses.length === 0 ? '\nNothing was lost.' : `\n${losses.join('\n')}`)
  return losses.length === 0 ? 0 : 1
}
