import { cpus, totalmem } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'

export interface Machine {
  readonly cpu: string | undefined
  readonly cores: number
  readonly memory_gb: number
  readonly system: string
  readonly node: string
  readonly used_by_others: number
}

/** More distorts the figures. */
const MOST_USED = 0.1

/** For two idle seconds. */
export async function describeMachine(): Promise<Machine> {
  const timesBefore = processorTimes()
  await delay(2_000)
  const timesAfter = processorTimes()
  return {
    cpu: cpus()[0]?.model.trim(),
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    used_by_others: (timesAfter.busy - timesBefore.busy) / (timesAfter.total - timesBefore.total),
  }
}

export function machineText({ cpu, cores, memory_gb, node, used_by_others }: Machine): string {
  const used = `other programs use ${Math.round(used_by_others * 100)} % of it`
  const warning = used_by_others > MOST_USED ? ': too much for figures worth keeping' : ''
  return `${cpu}, ${cores} cores, ${memory_gb} GB, Node ${node}; ${used}${warning}.`
}

function processorTimes(): { busy: number; total: number } {
  const times = cpus().map((cpu) => cpu.times)
  const idle = times.reduce((sum, { idle }) => sum + idle, 0)
  const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0)
  return { busy: all - idle, total: all }
}
