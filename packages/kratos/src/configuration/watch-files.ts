import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Polling also works for replaced, linked and mounted files. */
const EVERY_MS = 250
/** The writer may not have finished. */
const SETTLED_MS = 50

/** The watched files with their last state. */
export interface FileWatch {
  /** Call before reading them, so that no change is missed. */
  add(files: readonly string[]): Promise<void>
  /** One call of `changed` at a time. Watches the files that the latest call added. */
  run(onChange: () => Promise<void>): Promise<never>
}

export function watchFiles(): FileWatch {
  let knownTexts = new Map<string, string>()
  const isSame = async () => {
    const marks = await Promise.all(
      [...knownTexts].map(async ([file, mark]) => mark === (await markOf(file))),
    )
    return marks.every(Boolean)
  }
  return {
    async add(files) {
      const watched = knownTexts
      for (const file of files) watched.set(file, await markOf(file))
    },
    async run(onChange) {
      for (;;) {
        await sleep(EVERY_MS, undefined, { ref: false })
        if (await isSame()) continue
        await sleep(SETTLED_MS, undefined, { ref: false })
        knownTexts = new Map()
        await onChange()
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
