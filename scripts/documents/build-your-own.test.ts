import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runs } from '@ostiary/identity/testing/input/sample'
import { root } from '../child.mjs'
import { buildReadlist, readSteps } from './build-your-own.ts'

const folder = mkdtempSync(join(tmpdir(), 'my-app-readlist-'))
const readlist = join(folder, 'readlist')

before(() => {
  buildReadlist(readlist)
  link('node_modules')
  link('node_modules/@ostiary')
})
after(() => rmSync(folder, { recursive: true }))

/** Links to the packages of a folder. Workspaces are those of the copy. */
function link(path: string): void {
  mkdirSync(join(readlist, path), { recursive: true })
  for (const { name, parentPath } of readdirSync(join(root, path), { withFileTypes: true })) {
    const target = path.endsWith('@ostiary') ? readlinkSync(join(parentPath, name)) : join(parentPath, name)
    if (name !== '@ostiary') symlinkSync(target, join(readlist, path, name))
  }
}

function run(...args: string[]): void {
  // Inside `node --test`, node:test would report to the parent.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
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
  'Test it': 2,
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

test('the product of the guide has no type error and no unformatted file', () => {
  const tsc = 'node_modules/typescript/bin/tsc'
  // The web app's types include those of the API.
  run(tsc, '-p', 'app/web')
  if (runs(0, 1)) run(tsc, '-p', '.')
  const files = readSteps().flatMap(({ patches }) => patches.map(({ file }) => file))
  run('node_modules/@biomejs/biome/bin/biome', 'check', '--vcs-enabled=false', ...new Set(files))
})

test('the product of the guide passes its own tests', () => {
  const flags = ['--test-isolation=none', '--test-force-exit', '--import=./scripts/tests/origins.ts']
  run('--disable-warning=ExperimentalWarning', ...flags, '--test', 'app/server/links/links.test.ts')
  // With --all, also the one that finds words outside of texts.
  if (runs(0, 1))
    run('node_modules/vitest/vitest.mjs', 'run', '--config', 'packages/ui/vitest.config.ts', 'texts.test')
})

test('the pages of the guide keep to their budgets and open in a browser', () => {
  run('scripts/weigh.ts')
  run('scripts/run.mjs', 'test', 'e2e', 'links')
})
