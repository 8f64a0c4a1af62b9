import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { atEnd, testOn } from '@my-app/identity/testing/kit/databases'
import { startEmbedded } from './embedded.ts'

testOn('SQLite', 'lists the scenarios skipped without the admin address', async () => {
  const service = await startEmbedded('memory')
  atEnd(() => service.stop())
  const { code, output } = await conformance('--public-url', `${service.publicUrl}/`, '--only', 'health')
  assert.equal(code, 0, output)
  assert.match(output, /✔ the service says that it is alive and ready/)
  assert.match(output, /has a version.* # --admin-url was not given/)
  assert.match(output, /fail 0\n/)
})

testOn('SQLite', 'names an unreachable address in one sentence', async () => {
  const cases = [
    [['--public-url', 'kratos'], /^--public-url: expected an address such as .*, got kratos\n$/],
    [['--admin-url', 'http://127.0.0.1:1'], /^--admin-url needs --public-url beside it\.\n$/],
    [['--public-url', 'http://127.0.0.1:1'], /^Nothing answers at http:\/\/127\.0\.0\.1:1\.\n$/],
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
  const flags = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'main.ts')]
  const child = spawn(process.execPath, [...flags, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  atEnd(() => child.kill())
  const exit = once(child, 'exit')
  const said = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: (await exit)[0], output: said.join('') }
}
