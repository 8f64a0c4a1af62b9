import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Asked by time, because that works for files that are replaced, linked or mounted too. In milliseconds. */
const EVERY = 250
/** Who writes a file may still be writing. */
const SETTLED = 50

/**
 * Remembers how the files are; to be called before they are read, so that no change is missed. What it returns calls
 * `changed` after one or more of them became different, never twice at a time, until the process ends.
 */
export async function watchFiles(
  files: readonly string[],
): Promise<(changed: () => Promise<void>) => Promise<never>> {
  let known = await marksOf(files)
  return async (changed) => {
    for (;;) {
      await sleep(EVERY, undefined, { ref: false })
      if ((await marksOf(files)) === known) continue
      await sleep(SETTLED, undefined, { ref: false })
      known = await marksOf(files)
      await changed()
    }
  }
}

async function marksOf(files: readonly string[]): Promise<string> {
  const marks = files.map((file) =>
    stat(file, { bigint: true }).then(
      ({ mtimeNs, ctimeNs, size, ino }) => `${mtimeNs} ${ctimeNs} ${size} ${ino}`,
      () => 'absent',
    ),
  )
  return (await Promise.all(marks)).join('; ')
}
