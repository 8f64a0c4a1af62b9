interface BackgroundJob {
  stop(): Promise<void>
}

/** Jobs that run next to the requests. `begin` starts them with the current configuration. */
export function createBackgroundJobs(begin: () => readonly BackgroundJob[]) {
  let running: readonly BackgroundJob[] = []
  let ending: Promise<unknown> = Promise.resolve()
  const start = () => {
    if (running.length === 0) running = begin()
  }
  const stop = () => {
    ending = Promise.all([ending, ...running.map((one) => one.stop())])
    running = []
    return ending
  }
  return {
    start,
    stop,
    /** Does nothing unless they run. */
    restart() {
      if (running.length === 0) return
      void stop()
      start()
    },
  }
}
