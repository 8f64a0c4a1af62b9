import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'

test('every line arrives in order when the process ends by itself, or by an error', async () => {
  const lines = 'for (let n = 0; n < 2000; n += 1) write("line " + n + "\\n", "info");'
  const expected = Array.from({ length: 2000 }, (_, n) => `line ${n}\n`).join('')
  assert.equal(await outputOf(lines), expected)
  assert.equal(await outputOf(`${lines} process.exit(3)`), expected)
  assert.equal(await outputOf(`${lines} throw new Error("a bug")`), expected)
})

test('a line waits no longer than the process takes for its next turns', async () => {
  const { child, output } = start('write("waits\\n", "info"); setInterval(() => {}, 1000)')
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  assert.equal(await output, 'waits\n')
})

test('an error, and what came before it, survives a process that is killed at once', async () => {
  const code = 'write("before\\n", "info"); write("error\\n", "error"); process.kill(process.pid, "SIGKILL")'
  assert.equal(await outputOf(code), 'before\nerror\n')
})

async function outputOf(code: string): Promise<string> {
  return await start(code).output
}

/** A process of its own, in which `write` gathers lines. */
function start(code: string) {
  const module = JSON.stringify(join(import.meta.dirname, 'log.ts'))
  const source = `const { gatheredOutput } = await import(${module}); const write = gatheredOutput(); ${code}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  return { child, output: once(child, 'close').then(() => text) }
}
