/** Runs the calls one after another. A failed call does not stop the next. */
export function serialize<Input>(work: (input: Input) => Promise<void>): (input: Input) => Promise<void> {
  let last = Promise.resolve()
  return (input) => {
    const done = last.then(() => work(input))
    last = done.catch(() => {})
    return done
  }
}

/** A call during another one gets its result. */
export function shareRun<T>(work: () => Promise<T>): () => Promise<T> {
  let currentRun: Promise<T> | undefined
  return () => {
    currentRun ??= work().finally(() => {
      currentRun = undefined
    })
    return currentRun
  }
}

/** Throws the first failure at the end. */
export async function runInOrder(works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const work of works) await work().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

interface BackgroundJob {
  stop(): Promise<void>
}

export function createBackgroundJobs(startJobs: () => readonly BackgroundJob[]) {
  let runningJobs: readonly BackgroundJob[] = []
  let ending: Promise<unknown> = Promise.resolve()
  const start = () => {
    if (runningJobs.length === 0) runningJobs = startJobs()
  }
  const stop = () => {
    ending = Promise.all([ending, ...runningJobs.map((one) => one.stop())])
    runningJobs = []
    return ending
  }
  return {
    start,
    stop,
    restart() {
      if (runningJobs.length === 0) return
      void stop()
      start()
    },
  }
}
