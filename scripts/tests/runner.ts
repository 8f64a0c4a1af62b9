import { mock } from 'node:test'
import { inspect } from 'node:util'
import type { Tally } from './tally.ts'

// What test files import from node:test in a process of the pool (worker.ts). node:test itself follows every promise by
// async hooks, to tell which test an error belongs to; that takes a quarter of the time. Here one test runs at a time.

export { mock }

/** How a test ended, or something around tests has failed. */
export interface Verdict {
  readonly verdict: keyof Tally
  readonly name: string
  readonly error?: string
}

type Tell = (verdict: Verdict) => void
type Hook = () => unknown
type Body = (t: Context) => unknown

interface Options {
  readonly skip?: boolean | string
  readonly timeout?: number
}

/** As much of node:test's as tests use. */
interface Context {
  readonly name: string
  readonly mock: typeof mock
  after(hook: Hook): void
  diagnostic(): void
  skip(): void
  test(name: string, ...rest: Rest): Promise<void>
}

type Rest = readonly [Body] | readonly [Options, Body]

interface Case {
  readonly name: string
  readonly options: Options
  readonly body: Body
}

/** A file, or one test of it while that runs. */
interface Running {
  readonly afters: Hook[]
  /** Takes the errors that nothing catches. */
  fail(error: unknown): void
}

let cases: Case[] = []
let befores: Hook[] = []
let running: Running = {
  afters: [],
  fail(error) {
    throw error
  },
}

process.on('uncaughtException', (error) => running.fail(error))

export function test(name: string, ...rest: Rest): void {
  cases.push(toCase(name, rest))
}

export function before(hook: Hook): void {
  befores.push(hook)
}

export function after(hook: Hook): void {
  running.afters.push(hook)
}

/** Runs the tests that a file declares, one after the other. `tell` also gets what fails outside of them. */
export async function runFile(file: string, load: () => Promise<unknown>, tell: Tell): Promise<void> {
  const fail = (error: unknown) => tell({ verdict: 'failed', name: file, error: inspect(error) })
  const own: Running = { afters: [], fail }
  ;[cases, befores, running] = [[], [], own]
  try {
    await load()
    if (cases.length === 0) throw new Error('This file contains no test.')
    for (const hook of befores) await hook()
    for (const one of cases) await runCase(one, tell)
  } catch (error) {
    fail(error)
  }
  for (const hook of own.afters) await Promise.try(hook).catch(fail)
}

/** Uses the functions of this process's timers, which a test may replace for itself. */
const { setTimeout, clearTimeout } = globalThis

async function runCase(one: Case, tell: Tell): Promise<void> {
  if (one.options.skip) return tell({ verdict: 'skipped', name: one.name })
  const file = running
  const { promise: uncaught, reject } = Promise.withResolvers<never>()
  const strays: unknown[] = []
  const own: Running = {
    afters: [],
    fail(error) {
      strays.push(error)
      reject(error)
    },
  }
  running = own
  const { timeout } = one.options
  const tooLong = timeout && setTimeout(() => reject(new Error(`not over after ${timeout} ms`)), timeout)
  await judge(one.name, tell, async (t) => {
    try {
      await Promise.race([one.body(t), uncaught])
    } finally {
      for (const hook of own.afters) await hook()
    }
    // Those that came while the hooks ran.
    if (strays.length > 0) throw strays[0]
  })
  mock.reset()
  clearTimeout(tooLong)
  running = file
}

/** A test that contains others is told through them, unless it fails itself. */
async function judge(name: string, tell: Tell, body: Body): Promise<void> {
  let verdict: 'passed' | 'skipped' | undefined = 'passed'
  const t: Context = {
    name,
    mock,
    after,
    diagnostic() {},
    skip() {
      verdict = 'skipped'
    },
    async test(inner, ...rest) {
      verdict = undefined
      await judge(inner, tell, toCase(inner, rest).body)
    },
  }
  try {
    await body(t)
    if (verdict) tell({ verdict, name })
  } catch (error) {
    tell({ verdict: 'failed', name, error: inspect(error) })
  }
}

function toCase(name: string, rest: Rest): Case {
  return rest.length === 1 ? { name, options: {}, body: rest[0] } : { name, options: rest[0], body: rest[1] }
}
