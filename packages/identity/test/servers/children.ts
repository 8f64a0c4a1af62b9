import { spawnSync } from 'node:child_process'

export function childrenOf(pid: number | undefined): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => {
    const [own, parent, state = ''] = line.trim().split(/\s+/)
    return Number(parent) === pid && !state.startsWith('Z') ? [Number(own)] : []
  })
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
