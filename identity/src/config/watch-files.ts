import { unwatchFile, watchFile } from 'node:fs'
import { resolve } from 'node:path'

/** Asked by time, because that works for files that are replaced, linked or mounted too. In milliseconds. */
const EVERY = 250
/** Who writes a file may still be writing. */
const SETTLED = 50

/** Calls `changed` once after one or more of the files changed, never twice at a time; returns how to end that. */
export function watchFiles(files: readonly string[], changed: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(changed)
    }, SETTLED)
  }
  const paths = files.map((file) => resolve(file))
  for (const path of paths) watchFile(path, { interval: EVERY, persistent: false }, soon)
  return () => {
    clearTimeout(timer)
    for (const path of paths) unwatchFile(path, soon)
  }
}
