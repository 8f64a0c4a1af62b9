import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { program } from '@ostiary/identity/testing/servers/program'

test('writes every line in order when the process exits', async () => {
  const lines = 'for (let n = 0; n < 2000; n += 1) write("line " + n + "\\n", "info");'
  const expected = Array.from({ length: 2000 }, (_, n) => `line ${n}\n`).join('')
  assert.equal(await outputOf(lines), expected)
  assert.equal(await outputOf(`${lines} process.exit(3)`), expected)
  assert.equal(await outputOf(`${lines} throw new Error("a bug")`), expected)
})

test('writes a line within a few turns', async () => {
  const { child, output } = start('write("waits\\n", "info"); setInterval(() => {}, 1000)')
  await once(child.stdout!, 'data')
  child.kill('SIGKILL')
  assert.equal(await output, 'waits\n')
})

test('keeps an error and earlier lines when killed', async () => {
  const code = 'write("before\\n", "info"); write("error\\n", "error"); process.kill(process.pid, "SIGKILL")'
  assert.equal(await outputOf(code), 'before\nerror\n')
})

test('keeps running when the reader of its output ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'identity-log-'))
  after(() => rmSync(folder, { recursive: true }))
  const config = join(folder, 'config.json')
  const port = { host: '127.0.0.1', port: 0 }
  const schema = { type: 'object', properties: { traits: { type: 'object', properties: {} } } }
  const schemas = [{ id: 'default', url: `base64://${btoa(JSON.stringify(schema))}` }]
  const serve = { public: { ...port, base_url: 'http://127.0.0.1:4433/' }, admin: port }
  const selfservice = { default_browser_return_url: 'https://app.test/' }
  writeFileSync(
    config,
    JSON.stringify({ dsn: 'memory', dev: true, serve, selfservice, identity: { schemas } }),
  )
  const child = spawn(process.execPath, [program, '--config', config], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  after(() => child.kill('SIGKILL'))
  let shown = ''
  for await (const text of child.stdout) {
    shown += text
    if (/Admin port: .*\n/.test(shown)) break
  }
  const [, admin] = /Admin port: {2}127\.0\.0\.1:(\d+)/.exec(shown) ?? []
  for (let times = 0; times < 3; times += 1) {
    // Each call writes one log line.
    assert.equal((await fetch(`http://127.0.0.1:${admin}/admin/identities`)).status, 200)
    await sleep(50)
  }
})

test('keeps running while the disk of its log is full', async () => {
  const code = 'outliveReader(); write("lost\\n", "error"); setTimeout(() => process.exit(7), 50)'
  const [status] = await once(start(code, openSync('/dev/full', 'w')).child, 'exit')
  assert.equal(status, 7)
})

async function outputOf(code: string): Promise<string> {
  return await start(code).output
}

/** Runs `code` in a separate process. */
function start(code: string, stdout: 'pipe' | number = 'pipe') {
  const module = JSON.stringify(join(import.meta.dirname, 'log.ts'))
  const source = `const { gatheredOutput, outliveReader } = await import(${module}); const write = gatheredOutput(); ${code}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', stdout, 'ignore'],
  })
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  return { child, output: once(child, 'close').then(() => text) }
}
