import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import product from '../../app/server.ts'
import { aboutTexts, homeTexts } from '../../app/texts.ts'
import { runAdminCommand } from '../../packages/server/src/admin/command.ts'
import { providerVariables } from '../../packages/server/src/settings/providers.ts'
import { root } from '../root.ts'
import { readDifferences, renderDifferences } from './differences.ts'
import { findBrokenLinks } from './links.ts'
import { renderSettings } from './settings.ts'

const documents = globSync(['*.md', 'docs/**/*.md', 'bench/*.md', 'packages/*/README.md'], { cwd: root }).map(
  (path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }),
)
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

test('links in documents resolve to existing files and headings', () => {
  assert.deepEqual(
    findBrokenLinks(
      root,
      documents.map(({ path }) => path),
    ),
    [],
  )
})

test('the guide links every file in which its product differs from a new one', () => {
  const [guide, example] = ['docs/build-your-own.md', 'examples/readlist']
  const text = documents.find(({ path }) => path === guide)?.text ?? ''
  const isNew = (file: string) => {
    const source = [`template/${file}`, file].find((path) => existsSync(join(root, path)))
    return (
      source !== undefined && readFileSync(join(root, source)).equals(readFileSync(join(root, example, file)))
    )
  }
  const files = globSync(['app.config.ts', '{app,e2e}/**/*.*'], {
    cwd: join(root, example),
    exclude: ['**/dist'],
  })
  assert.ok(files.length > 30)
  // After a change of the template, copy the file.
  assert.deepEqual(
    files.filter((file) => !text.includes(`](../${example}/${file})`) && !isNew(file)),
    [],
  )
})

test('the guide lists exactly the tokens of the stylesheet', () => {
  const styles = readFileSync(join(root, 'packages/ui/src/styles.css'), 'utf8')
  const guide = documents.find(({ path }) => path === 'docs/building.md')?.text ?? ''
  const rows = [...guide.matchAll(/^\| [^|]+ \| `--(\w+)-` \| (.+) \|$/gm)]
  const listed = rows.flatMap(([, kind, tokens = '']) =>
    [...tokens.matchAll(/`([\w-]+)`/g)].map(([, token]) => `${kind}-${token}`),
  )
  const kinds = [...styles.matchAll(/^ {2}--(\w+)-\*: initial/gm)].map(([, kind]) => kind)
  const defined = [...styles.matchAll(new RegExp(`^ {2}--((?:${kinds.join('|')})-[\\w-]+):`, 'gm'))]
    .map(([, token = '']) => token)
    // Spinners and transitions are for the parts of the library.
    .filter((token) => !/^animate-|--line-height$|^color-(transparent|current)$/.test(token))
  assert.ok(defined.length > 30)
  assert.deepEqual(listed.sort(), defined.sort())
})

test('documents name existing files', () => {
  const named = /`((?:app|packages|e2e|bench|scripts|security|docs)\/[\w./-]+)`/g
  const missing = documents.flatMap(({ path, text }) =>
    [...text.matchAll(named)]
      .map(([, target = '']) => target)
      .filter((target) => !target.includes('/dist'))
      .filter((target) => !['.', 'examples/readlist'].some((app) => existsSync(join(root, app, target))))
      .map((target) => `${path} → ${target}`),
  )
  assert.deepEqual(missing, [])
})

test('pages have the headings of the specification', () => {
  assert.equal(homeTexts.heading, 'Welcome to the Home Page!')
  assert.match(homeTexts.lead, /^This is the landing page of /)
  assert.equal(aboutTexts.heading, 'About Us')
})

test('both maps name existing files', () => {
  const maps = ['ARCHITECTURE.md', 'docs/specification.md']
  const text = documents.flatMap(({ path, text }) => (maps.includes(path) ? [text] : [])).join('\n')
  const named = [...text.matchAll(/`([a-z][\w/-]*(?:\.test|\.spec)?\.(?:ts|tsx|mjs|json))`/g)].map(
    ([, target = '']) => target,
  )
  const homes = [
    '',
    'packages/identity/src',
    'packages/identity/src/http',
    'packages/identity',
    'packages/identity-server',
    'packages/kratos',
    'app/server',
    'app/web',
    'packages/react/src',
    'packages/ui/src',
    'packages/server/src',
    'bench',
    'scripts',
    'security',
  ]
  assert.ok(named.length > 50, 'the pattern finds files')
  assert.deepEqual(
    named.filter((target) => !homes.some((home) => existsSync(join(root, home, target)))),
    [],
  )
})

test('decisions are numbered without gaps', () => {
  const numbers = globSync('docs/decisions/*.md', { cwd: root }).map((path) => Number(/\d+/.exec(path)?.[0]))
  assert.deepEqual(
    numbers.toSorted((a, b) => a - b),
    numbers.map((_, index) => index + 1),
  )
})

test('documents name existing commands', () => {
  const unknown = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/npm run ([\w-]+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !(name in manifest.scripts))
      .map((name) => `${path} → npm run ${name}`),
  )
  assert.deepEqual(unknown, [])
})

test('documents name existing commands of operators', async () => {
  const usage = await runAdminCommand(product, [])
  const unknown = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:npm run admin --|serve\.mjs admin) ([a-z]+ [a-z]+(?: (?:add|remove|list)\b)?)/g)]
      .map(([, words = '']) => words)
      .filter((words) => !usage.includes(`\n  ${words} `))
      .map((words) => `${path} → ${words}`),
  )
  assert.deepEqual(unknown, [])
})

test('docs/providers.md lists exactly the settings of providers', () => {
  const page = documents.find(({ path }) => path === 'docs/providers.md')?.text ?? ''
  const names = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
  assert.deepEqual(names, Object.keys(providerVariables.shape))
})

test('generated documents are as in their source', () => {
  for (const [path, text] of [...renderDifferences(), renderSettings()])
    assert.equal(readFileSync(join(root, path), 'utf8'), text, `npm run check -- --fix writes ${path}`)
})

test('each difference with a cost has a rule, or a reason why no recording shows it', () => {
  const costly = readDifferences().filter(({ cost }) => cost !== 'none')
  assert.deepEqual(
    costly.filter(({ rules, unrecorded }) => (rules === undefined) === (unrecorded === undefined)),
    [],
  )
})
