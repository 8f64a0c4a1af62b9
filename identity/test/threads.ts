import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'

/** That the threads which hash give way to all others of a process. Linux only. */
export function assertHashThreadsGiveWay(pid: number | undefined): void {
  const threads = readdirSync(`/proc/${pid}/task`).map((id) => threadOf(`/proc/${pid}/task/${id}/stat`))
  const hashing = threads.filter(({ name }) => name === 'libuv-worker')
  assert.ok(hashing.length > 0)
  const lower = Math.min(19, (threads[0]?.nice ?? 0) + 10)
  for (const { nice } of hashing) assert.equal(nice, lower)
}

/** The name stands in brackets, may contain spaces, and is the second of the fields; `nice` is the nineteenth. */
function threadOf(path: string) {
  const [, name, rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(path, 'utf8')) ?? []
  return { name, nice: Number(rest.split(' ')[16]) }
}
