import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Figure, reachesGoal } from './figure.ts'
import type { Machine } from './machine.ts'

interface Results {
  readonly version: string
  readonly measured_at: string
  readonly machine: Machine
  readonly runs: number
  readonly figures: readonly Figure[]
}

/** More is a loss. */
const TOLERANCE = 0.2

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string
}
const file = join(import.meta.dirname, 'results', `${version}.json`)

export function printTable(figures: readonly Figure[]): void {
  const rows = [
    ['', 'measured', 'limit', 'share', 'goal', '', 'Ory Kratos', 'Better Auth'],
    ...figures.map(row),
  ]
  const widths =
    rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? []
  for (const cells of rows) {
    const padded = cells.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    console.log(padded.join('  ').trimEnd())
  }
}

function row(figure: Figure): string[] {
  const { name, unit, value, limit, goal, kratos = '', better_auth = '' } = figure
  const share = limit === undefined ? '' : (value / limit).toFixed(2)
  const wanted = goal === undefined ? '' : 'share' in goal ? `≥ ${goal.share}` : `≤ ${round(goal.at_most)}`
  const verdict = goal === undefined ? '' : reachesGoal(figure) ? 'ok' : 'MISSED'
  const bound = limit === undefined ? '' : round(limit)
  return [name, `${round(value)} ${unit.padEnd(3)}`, bound, share, wanted, verdict, kratos, better_auth]
}

function round(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(value < 10 ? 2 : 1)
}

export function writeResults(machine: Machine, runs: number, figures: readonly Figure[]): void {
  const all = [...figures, ...keptFigures(figures)]
  const results: Results = { version, measured_at: new Date().toISOString(), machine, runs, figures: all }
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, `${JSON.stringify(results, roundNumbers, 2)}\n`)
  console.log(`\nWritten to bench/results/${version}.json.`)
}

/** Of skipped scenarios. */
function keptFigures(figures: readonly Figure[]): Figure[] {
  if (!existsSync(file)) return []
  const { measured_at, figures: before } = JSON.parse(readFileSync(file, 'utf8')) as Results
  const left = before.filter((one) => !figures.some(({ name }) => name === one.name))
  return left.map((figure) => ({ measured_at, ...figure }))
}

function roundNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value
}

export function findLosses(figures: readonly Figure[]): string[] {
  if (!existsSync(file))
    throw new Error(`There is no ${file} to compare with. Run the benchmark without --compare.`)
  const before = JSON.parse(readFileSync(file, 'utf8')) as Results
  return figures.flatMap((now) => {
    const then = before.figures.find(({ name }) => name === now.name)
    if (!then || now.aside) return []
    const loss = lossOf(then, now)
    return loss > TOLERANCE ? [`${now.name} lost ${Math.round(loss * 100)} %`] : []
  })
}

/** A rate depends on the machine, a share of the limit does not. */
function lossOf(then: Figure, now: Figure): number {
  const before = then.limit === undefined ? then.value : then.value / then.limit
  const after = now.limit === undefined ? now.value : now.value / now.limit
  return now.unit === '1/s' ? 1 - after / before : after / before - 1
}
