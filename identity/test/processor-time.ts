/**
 * Milliseconds of processor time that this process used while `work` ran. For crafted input: unlike elapsed time
 * it does not grow where other programs are busy.
 */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
