import { rmSync } from 'node:fs'
import { constants } from 'node:os'

/**
 * Does work that needs files until it ends. They are removed then, also after Ctrl-C; what a killed process left of
 * them is removed first.
 */
export async function withUnfinished<T>(files: readonly string[], work: () => Promise<T>): Promise<T> {
  const remove = () => {
    for (const file of files) rmSync(file, { force: true })
  }
  const interrupt = (signal: NodeJS.Signals) => {
    remove()
    process.exit(128 + constants.signals[signal])
  }
  remove()
  for (const signal of SIGNALS) process.on(signal, interrupt)
  try {
    return await work()
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt)
    remove()
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
