/**
 * Milliseconds of processor time that the thread of the event loop used while `work` ran. For crafted input: unlike
 * elapsed time it does not grow where other programs, or the threads of the garbage collector, are busy.
 */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
