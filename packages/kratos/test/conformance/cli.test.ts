import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { atEnd, testOn } from '@ostiary/identity/testing/kit/databases'
import { startEmbedded } from './embedded.ts'

await promisify(execFile)(process.execPath, ['packages/conformance/build.ts'])

testOn('SQLite', 'the published command lists the scenarios skipped without the admin address', async () => {
  const service = await startEmbedded('memory')
  atEnd(() => service.stop())
  const { code, output } = await conformance(`${service.publicUrl}/`, '--only', 'health')
  assert.equal(code, 0, output)
  assert.match(output, /✔ the service says that it is alive and ready/)
  assert.match(output, /has a version.* # --admin was not given/)
  assert.match(output, /fail 0\n/)
})

testOn('SQLite', 'the published configuration names files next to it', async () => {
  const published = 'packages/conformance/dist'
  const config = await readFile(`${published}/kratos.yaml`, 'utf8')
  const named = [...config.matchAll(/file:\/\/(\S+)/g)].map(([, name = '']) => name)
  const files = await readdir(published)
  assert.ok(named.length > 1)
  assert.deepEqual(
    named.filter((name) => !files.includes(name)),
    [],
  )
})

testOn('SQLite', 'names an unreachable address in one sentence', async () => {
  const cases = [
    [['kratos'], /^URL: expected an address such as .*, got kratos\n$/],
    [['--admin', 'http://127.0.0.1:1'], /^--admin needs the public URL before it\.\n$/],
    [['http://127.0.0.1:1'], /^Nothing answers at http:\/\/127\.0\.0\.1:1\.\n$/],
    [['--url', 'http://127.0.0.1:1'], /^Unknown option '--url'.*\n$/],
  ] as const
  const answers = await Promise.all(cases.map(([args]) => conformance(...args)))
  for (const [index, [, sentence]] of cases.entries()) {
    assert.equal(answers[index]?.code, 1)
    assert.match(answers[index]?.output ?? '', sentence)
  }
})

async function conformance(...args: readonly string[]): Promise<{ code: unknown; output: string }> {
  // The runner would report to this one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, ['packages/conformance/dist/main.js', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  atEnd(() => child.kill())
  const exit = once(child, 'exit')
  const said = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: (await exit)[0], output: said.join('') }
}
