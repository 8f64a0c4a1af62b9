import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Refusal } from '../child.mjs'

/** What `npm test` was asked for. */
export interface Wishes {
  /** One runner only. */
  readonly name: string | undefined
  /** A part of the paths of the files. */
  readonly pattern: string
  /** Everything, also what is otherwise tested in part. */
  readonly all: boolean
  /** Chooses that part. */
  readonly seed: number
}

/** @param names of the runners */
export function readArguments(args: string[], names: readonly string[]): Wishes {
  const { values, positionals } = parse(args)
  const [name, pattern = '', ...rest] = positionals
  const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)
  if (name !== undefined && (!names.includes(name) || rest.length > 0)) throw new Refusal(USAGE)
  if (!Number.isSafeInteger(seed)) throw new Refusal(USAGE)
  return { name, pattern, all: values.all, seed }
}

const USAGE =
  'What to test is unit, web or e2e, then a part of a path: npm test -- unit storage. --all leaves no case out; --seed NUMBER repeats what a run had chosen.'

function parse(args: string[]) {
  const options = { all: { type: 'boolean', default: false }, seed: { type: 'string' } } as const
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch {
    throw new Refusal(USAGE)
  }
}
