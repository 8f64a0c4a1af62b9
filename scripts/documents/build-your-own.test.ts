import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import { root } from '../child.mjs'
import { installLinked } from '../new/install.ts'
import { buildReadlist, readSteps } from './build-your-own.ts'

const folder = mkdtempSync(join(tmpdir(), 'my-app-readlist-'))
const readlist = join(folder, 'readlist')
const port = await freePort()

before(async () => {
  await buildReadlist(readlist)
  installLinked(readlist)
})
after(() => rmSync(folder, { recursive: true }))

function run(...args: string[]): void {
  // Inside `node --test`, node:test would report to the parent.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, TEST_PORT: `${port}` }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: readlist,
    encoding: 'utf8',
    env,
  })
  assert.equal(status, 0, `${args.join(' ')}\n${stdout}${stderr}`)
}

/** Files that each step may touch. A step that needs more shows a weakness of the template. */
const MOST_FILES: Readonly<Record<string, number>> = {
  'Make it': 1,
  'Say what an account consists of': 2,
  'Add a table': 3,
  'Add API calls': 2,
  'Add pages': 5,
  'Require a role': 2,
  'Enable a sign-in provider': 0,
  'Send an email': 2,
  'Run code when a user registers': 1,
  'Test it': 1,
  'Deploy it': 0,
  'Add a second backend': 0,
}

test('each step of the guide touches few files', () => {
  const steps = readSteps().map(
    ({ title, patches }) => [title.replace(/^\d+\. /, ''), patches.length] as const,
  )
  assert.deepEqual(
    steps.map(([title]) => title),
    Object.keys(MOST_FILES),
  )
  const large = steps.filter(([title, files]) => files > (MOST_FILES[title] ?? 0))
  assert.deepEqual(large, [])
})

test('the product of the guide is formatted, and passes its own tests', () => {
  const files = readSteps().flatMap(({ patches }) => patches.map(({ file }) => file))
  const biome = [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'format']
  run(...biome, '--config-path', root, '--vcs-enabled=false', ...new Set(files))
  run('scripts/test.mjs')
})
