import { parseArgs } from 'node:util'
import { Refusal } from '../child.mjs'

/** What `npm test` was asked for. */
export interface Arguments {
  /** One runner only. */
  readonly name: string | undefined
  /** A part of the paths of the files. */
  readonly pattern: string
  /** Everything, also what is otherwise tested in part. */
  readonly all: boolean
  /** Chooses that part: the same at each run, so that a run fails only for what was changed. */
  readonly seed: number
}

/** @param names of the runners */
export function readArguments(args: string[], names: readonly string[]): Arguments {
  const { values, positionals } = parse(args)
  const [name, pattern = '', ...rest] = positionals
  const seed = Number(values.seed)
  if (name !== undefined && (!names.includes(name) || rest.length > 0)) throw new Refusal(USAGE)
  if (!Number.isSafeInteger(seed)) throw new Refusal(USAGE)
  return { name, pattern, all: values.all, seed }
}

const USAGE =
  'What to test is unit, web, faults or e2e, then a part of a path: npm test -- unit storage. --all leaves no case out; --seed NUMBER chooses other samples.'

function parse(args: string[]) {
  const options = {
    all: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  } as const
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch {
    throw new Refusal(USAGE)
  }
}
