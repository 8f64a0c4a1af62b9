/**
 * Milliseconds that this process computed for while `work` ran. For input that is built to be slow: unlike the time on
 * the clock it is not longer where other programs are busy.
 */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
