import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { oneInTurn } from '@ostiary/identity/testing/input/sample'
import { root } from '../child.mjs'
import { cutMarked } from './marks.ts'

const folder = mkdtempSync(join(tmpdir(), 'my-app-new-'))
after(() => rmSync(folder, { recursive: true }))

const CHOICES = { name: 'Readlist', providers: [], sample: false }
const everyCase = process.env.TEST_ALL === 'true'
const NPM_TEST = everyCase ? [[]] : [['unit', 'scripts/deploy']]
const TYPES = everyCase ? ['.', 'packages', 'app/web', 'e2e'] : ['.', 'app/web']

for (const sample of oneInTurn('new', ['no', 'yes'])) {
  test(`a product with --sample ${sample} passes its checks and tests`, (t) => {
    t.diagnostic(`--sample ${sample}`)
    const product = join(folder, `readlist-${sample}`)
    create(root, product, '--name', "Ada's Readlist", '--sample', sample)
    assert.equal(run(product, 'git', 'status', '--porcelain'), '')
    linkPackages(product)
    const template = 'My[ ]App|(?<!@)my-app|my_app'
    const named = run(product, 'git', 'grep', '--name-only', '--perl-regexp', template, '--', ':!packages')
    assert.equal(named, 'docs/upgrading.md\n')
    for (const project of TYPES)
      run(product, process.execPath, 'node_modules/typescript/bin/tsc', '-p', project)
    run(product, process.execPath, 'node_modules/@biomejs/biome/bin/biome', 'check')
    run(product, process.execPath, 'node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints')
    for (const selection of NPM_TEST) run(product, process.execPath, 'scripts/run.mjs', 'test', ...selection)
    run(product, process.execPath, 'scripts/weigh.ts')
  })
}

test('a product takes the next version of the template without a conflict', () => {
  const template = join(folder, 'template')
  run(root, 'git', 'clone', '--quiet', root, template)
  symlinkSync(join(root, 'node_modules'), join(template, 'node_modules'))
  cpSync(join(root, 'scripts/new'), join(template, 'scripts/new'), { recursive: true })
  const product = join(folder, 'upgraded')
  create(template, product, '--name', 'Readlist', '--providers', 'github', '--sample', 'no')

  const table = "\nexport const migrations = { '0001-links': {} }\n"
  appendFileSync(join(product, 'app/server.ts'), table)
  writeFileSync(
    join(product, 'app/web/pages/links.tsx'),
    'export default function Links() {\n  return null\n}\n',
  )
  commit(product)

  const engine = 'packages/identity/src/index.ts'
  appendFileSync(join(template, engine), '\nexport const NEXT = true\n')
  appendFileSync(join(template, 'app/web/routes.tsx'), '\n// The next version.\n')
  rmSync(join(template, 'app/server/cash/routes.test.ts'))
  commit(template)
  create(template, product)
  assert.equal(run(product, 'git', 'status', '--porcelain'), '')
  run(product, 'git', ...AUTHOR, 'merge', '--quiet', 'template')

  const read = (file: string) => readFileSync(join(product, file), 'utf8')
  assert.match(read(engine), /NEXT/)
  assert.match(read('app/web/routes.tsx'), /The next version/)
  assert.ok(read('app/server.ts').endsWith(table))
  assert.match(read('app/web/pages/links.tsx'), /Links/)
  assert.match(read('app.config.ts'), /name = 'Readlist'/)
  assert.doesNotMatch(read('app.config.ts'), /id: 'google'/)
})

test('a mark without its counterpart is named by file and line', () => {
  for (const [text, line] of [
    ['one\n// #region sample\ntwo\n', 2],
    ['{/* #endregion sample */}\n', 1],
    ['// #region sample\n// #region template\n// #endregion template\n// #endregion sample\n', 2],
  ] as const)
    assert.throws(
      () => cutMarked(text, 'app/page.tsx', CHOICES),
      new RegExp(`^Error: app/page\\.tsx:${line} `),
    )
})

test('refuses a folder that contains something else', () => {
  const other = join(folder, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'notes.txt'), 'mine')
  assert.throws(() => create(root, other), /is not empty/)
})

const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']

function commit(at: string): void {
  run(at, 'git', 'add', '--all')
  run(at, 'git', ...AUTHOR, 'commit', '--quiet', '-m', 'Change it')
}

function create(template: string, product: string, ...options: string[]): void {
  run(template, process.execPath, 'scripts/new/new.ts', product, ...options)
}

/** Throws with the output if the command fails. */
function run(cwd: string, command: string, ...args: string[]): string {
  try {
    const env = { ...process.env, INIT_CWD: cwd, NODE_TEST_CONTEXT: undefined }
    return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error })
  }
}

/** The installed packages of this repository, with the product's own workspaces. */
function linkPackages(product: string): void {
  for (const from of globSync('{node_modules,{app,packages}/*/node_modules,e2e/node_modules}/{*,@*/*,.bin}', {
    cwd: root,
  })) {
    if (/node_modules\/@[^/]+$|@ostiary/.test(from)) continue
    mkdirSync(join(product, from, '..'), { recursive: true })
    symlinkSync(join(root, from), join(product, from))
  }
  for (const name of [
    'identity',
    'identity-server',
    'go-template',
    'jsonnet',
    'server',
    'ui',
    'admin',
    'demo',
  ]) {
    mkdirSync(join(product, 'node_modules/@ostiary'), { recursive: true })
    symlinkSync(join(product, 'packages', name), join(product, 'node_modules/@ostiary', name))
  }
  cpSync(join(root, 'node_modules/.package-lock.json'), join(product, 'node_modules/.package-lock.json'))
}
