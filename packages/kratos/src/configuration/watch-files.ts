import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Polling also works for replaced, linked and mounted files. */
const EVERY_MS = 250
/** The writer may not have finished. */
const SETTLED_MS = 50

export function watchFiles() {
  /** The watched files with their last state. */
  let knownTexts = new Map<string, string>()
  const isSame = async () => {
    const marks = await Promise.all(
      [...knownTexts].map(async ([file, mark]) => mark === (await markOf(file))),
    )
    return marks.every(Boolean)
  }
  return {
    /** Call before reading them, so that no change is missed. */
    async add(files: readonly string[]): Promise<void> {
      const watched = knownTexts
      for (const file of files) watched.set(file, await markOf(file))
    },
    /** One call of `onChange` at a time. Watches the files that the latest call added. */
    async run(onChange: () => Promise<void>): Promise<never> {
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
