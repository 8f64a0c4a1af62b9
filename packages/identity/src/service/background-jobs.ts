interface BackgroundJob {
  stop(): Promise<void>
}

/** `begin` starts the jobs with the current configuration. */
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
    /** Does nothing unless jobs are running. */
    restart() {
      if (running.length === 0) return
      void stop()
      start()
    },
  }
}
