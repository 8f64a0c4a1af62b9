interface BackgroundJob {
  stop(): Promise<void>
}

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
    restart() {
      if (running.length === 0) return
      void stop()
      start()
    },
  }
}
