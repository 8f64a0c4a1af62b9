import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Puts files and folders of `target` back as they were if the change throws. */
export async function restoreOnFailure(
  target: string,
  paths: readonly string[],
  change: () => Promise<void>,
): Promise<void> {
  const before = mkdtempSync(join(tmpdir(), 'product-'))
  const replaceAll = (from: string, to: string) => {
    for (const path of paths) {
      rmSync(join(to, path), { recursive: true, force: true })
      if (existsSync(join(from, path))) cpSync(join(from, path), join(to, path), { recursive: true })
    }
  }
  replaceAll(target, before)
  try {
    await change()
  } catch (error) {
    replaceAll(before, target)
    throw error
  } finally {
    rmSync(before, { recursive: true })
  }
}
