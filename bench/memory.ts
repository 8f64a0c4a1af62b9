import { execFileSync } from 'node:child_process'

/** The resident memory of a process. */
export function residentMegabytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' })) / 1024
}

/** Peak resident memory while `work` runs. */
export async function highestDuring<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ readonly peak: number; readonly result: T }> {
  let highest = residentMegabytes(pid)
  const timer = setInterval(() => {
    highest = Math.max(highest, residentMegabytes(pid))
  }, 250)
  try {
    const result = await work()
    return { peak: highest, result }
  } finally {
    clearInterval(timer)
  }
}
