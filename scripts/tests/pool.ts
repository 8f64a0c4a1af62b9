import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Verdict } from './runner.ts'

/** How a file of tests went. */
export interface FileResult {
  readonly file: string
  readonly verdicts: readonly Verdict[]
  readonly milliseconds: number
  /** What its tests have printed. */
  readonly output: string
}

interface Options {
  /** How many processes. */
  readonly size: number
  /** Milliseconds that one file may take. */
  readonly patience: number
}

const ARGUMENTS = [
  '--disable-warning=ExperimentalWarning',
  // What the tests throw away at once must not be collected thrice before.
  '--max-semi-space-size=32',
]

/**
 * Runs files of tests in a few processes, each of which takes the next file when it is through with one.
 * @param files in this order
 */
export async function runInPool(
  files: readonly string[],
  { size, patience }: Options,
  done: (result: FileResult) => void,
): Promise<void> {
  const queue = [...files]
  const work = async () => {
    let worker: Worker | undefined
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      worker ??= startWorker()
      const { broken, ...result } = await worker.run(file, patience)
      // Where a test took the whole process with it, the next file gets a new one.
      if (broken) worker = undefined
      done(result)
    }
    worker?.end()
  }
  await Promise.all(Array.from({ length: Math.min(size, files.length) }, work))
}

interface Worker {
  run(file: string, patience: number): Promise<FileResult & { broken: boolean }>
  end(): void
}

function startWorker(): Worker {
  const child = fork(new URL('worker.ts', import.meta.url), { execArgv: ARGUMENTS, silent: true })
  const exit = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`The process of the tests ended (${signal ?? code}).`))
  })
  return {
    async run(file, patience) {
      const output = collect(child)
      const began = performance.now()
      const { verdicts, end } = listen(child)
      child.send(file)
      const tooLong = setTimeout(() => child.kill('SIGKILL'), patience)
      const ended = await Promise.race([end, exit])
      clearTimeout(tooLong)
      await nextTurn()
      const broken = typeof ended === 'string'
      if (broken) verdicts.push({ verdict: 'failed', name: file, error: ended })
      const milliseconds = broken ? performance.now() - began : ended
      return { file, verdicts, milliseconds, output: output(), broken }
    },
    end: () => child.disconnect(),
  }
}

/** Everything in the file has ended. */
interface End {
  readonly milliseconds: number
}

/** What the process tells from now on, until the file that it runs has ended after some milliseconds. */
function listen(child: ChildProcess): { verdicts: Verdict[]; end: Promise<number> } {
  const verdicts: Verdict[] = []
  const end = new Promise<number>((resolve) => {
    child.on('message', function take(told: Verdict | End) {
      if ('verdict' in told) verdicts.push(told)
      else {
        child.off('message', take)
        resolve(told.milliseconds)
      }
    })
  })
  return { verdicts, end }
}

/** Returns what gives everything that the process has printed since. */
function collect({ stdout, stderr }: ChildProcess): () => string {
  const chunks: string[] = []
  const take = (chunk: Buffer) => void chunks.push(chunk.toString())
  for (const stream of [stdout, stderr]) stream?.on('data', take)
  return () => {
    for (const stream of [stdout, stderr]) stream?.off('data', take)
    return chunks.join('')
  }
}
