import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Asked by time, because that works for files that are replaced, linked or mounted too. In milliseconds. */
const EVERY = 250
/** Who writes a file may still be writing. */
const SETTLED = 50

/** Which files are watched, and how they were. */
export interface FileWatch {
  /** Watches these too. To be called before they are read, so that no change is missed. */
  add(files: readonly string[]): Promise<void>
  /**
   * Calls `changed` after one or more files became different, never twice at a time, until the process ends. From then
   * on those are watched that it adds.
   */
  run(changed: () => Promise<void>): Promise<never>
}

export function watchFiles(): FileWatch {
  let known = new Map<string, string>()
  const isSame = async () => {
    const marks = await Promise.all([...known].map(async ([file, mark]) => mark === (await markOf(file))))
    return marks.every(Boolean)
  }
  return {
    async add(files) {
      const watched = known
      for (const file of files) watched.set(file, await markOf(file))
    },
    async run(changed) {
      for (;;) {
        await sleep(EVERY, undefined, { ref: false })
        if (await isSame()) continue
        await sleep(SETTLED, undefined, { ref: false })
        known = new Map()
        await changed()
      }
    },
  }
}

function markOf(file: string): Promise<string> {
  return stat(file, { bigint: true }).then(
    ({ mtimeNs, ctimeNs, size, ino }) => `${mtimeNs} ${ctimeNs} ${size} ${ino}`,
    () => 'absent',
  )
}
