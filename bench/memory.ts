import { execFileSync } from 'node:child_process'

export function residentMegabytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' })) / 1024
}

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
