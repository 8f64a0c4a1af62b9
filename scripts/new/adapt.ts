import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as template from '../../app.config.ts'
import type { Choices } from './create.ts'

/** Files that test, measure or explain the template rather than a product. */
const ENGINE_ONLY = [
  /^bench\//,
  /^e2e\/faults\//,
  /^packages\/.*\.test\.ts$/,
  /^packages\/identity\/(build|examples|test\/(protocol|fuzz))\//,
  /^packages\/identity-server\/test\//,
  /^docs\/(decisions|reference)\//,
  /^docs\/(differences-from|specification|threats|screenshot|demo-panel)/,
  /^scripts\/(documents|new)\//,
  /^scripts\/.*\.test\.ts$/,
  /^(CHANGELOG|CONTRIBUTING|SECURITY|README)\.md$/,
]
/** Tests of a product's dependencies, deployment and imports. */
const KEPT =
  /^scripts\/(architecture\/(cycles|imports)|deploy|image|monitoring|supply-chain|tests\/node-tests)\.test\.ts$/

export function isEngineOnly(file: string): boolean {
  return ENGINE_ONLY.some((pattern) => pattern.test(file)) && !KEPT.test(file)
}

/** Turns a copy of the template into a product. */
export function adaptProject(target: string, choices: Choices): void {
  const { name, providers } = choices
  const edit = editorOf(target)
  edit('app.config.ts', [
    [/^export const name = .*$/m, `export const name = ${quote(name)}`],
    ['© 2024', `© ${new Date().getFullYear()}`],
    ...['github', 'google']
      .filter((id) => !providers.includes(id))
      .map((id): Edit => [new RegExp(`^ {2}\\{ id: '${id}'.*\\n`, 'm'), '']),
  ])
  // The template fills its budgets, and a longer name weighs more.
  edit('app/web/build/size.ts', [
    ["'/': 105_000", "'/': 106_000"],
    ["'/about': 105_000", "'/about': 106_000"],
    ["'/dashboard': 122_000", "'/dashboard': 123_000"],
  ])
  editManifest(target, choices)
  edit('scripts/commands.mjs', [
    ...ENGINE_COMMANDS.map(
      (command): Edit => [new RegExp(` {2}${command}: \\{\\n[\\s\\S]*?\\n {2}\\},\\n`), ''],
    ),
    [/ {6}'faults {2}.*\n/, ''],
    [', bench/ and scripts/', ' and scripts/'],
  ])
  edit('knip.json', [
    [',new/new,documents/build-your-own}.ts', '}.ts'],
    ['"workspaces": {', '"ignoreWorkspaces": ["packages/*"],\n  "workspaces": {'],
    ...KNIP_WORKSPACES,
  ])
  adaptDocuments(target, name)
}

const ENGINE_COMMANDS = ['bench', 'conformance', 'new', 'pack']

const KNIP_WORKSPACES = [
  'packages/identity',
  'packages/identity-server',
  'packages/go-template',
  'packages/jsonnet',
  'bench',
].map((workspace): Edit => [new RegExp(`,?\\n {4}"${workspace}": \\{[\\s\\S]*?\\n {4}\\}`), ''])

function editManifest(target: string, choices: Choices): void {
  const file = join(target, 'package.json')
  const { license: _, workspaces, scripts, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  const manifest = {
    ...rest,
    description: `${choices.name}, a web app with accounts.`,
    template: choices,
    workspaces: workspaces.filter((folder) => folder !== 'bench'),
    scripts: Object.fromEntries(Object.entries(scripts).filter(([name]) => !ENGINE_COMMANDS.includes(name))),
  }
  writeFileSync(file, `${JSON.stringify(manifest, undefined, 2)}\n`)
}

interface Manifest {
  readonly license: string
  readonly workspaces: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
}

export function slugOf(name: string): string {
  const words = name.toLowerCase().replaceAll(/['’]/g, '').replaceAll(/[^a-z\d]+/g, '-')
  return words.replaceAll(/^-|-$/g, '') || 'app'
}

function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}

/** Sections about changing or testing the engine, which a product takes as it is, and links to decisions. */
const ENGINE_PARTS =
  /^## (Add a column to the accounts|Add a sign-in method|Add an email about accounts|Change a rule of the protocol|Remove the sample|Faults)\n[\s\S]*?(?=^## |(?![\s\S]))| \(\[decision \d+\]\([^)]*\)\)/gm

function adaptDocuments(target: string, name: string): void {
  const edit = editorOf(target)
  edit('docs/building.md', [
    [/^npm test -- faults .*\n/m, ''],
    [/^`npm run new -- \.\.\/readlist` .*\n\n/m, ''],
  ])
  edit('docs/build-your-own.md', [[/ With Node 24, `node scripts\/.*? at once\./, '']])
  edit('ARCHITECTURE.md', [
    [/^\| `bench` \|.*\n/m, ''],
    [/^\| `npm run new`: .*\n/m, ''],
    [/^\| an attack and its answer .*\n/m, ''],
    [/^\| the published package .*\n/m, ''],
    ['`e2e` and `bench` talk', '`e2e` talks'],
    [/; all of it in one product: \[.*?\)/, ''],
    [', and faults around the built server | `journeys/`, `faults/` |', ' | `journeys/` |'],
  ])
  writeFileSync(join(target, 'README.md'), readme(name))
  for (const file of globSync('{*.md,docs/**/*.md,packages/*/README.md}', { cwd: target })) {
    const path = join(target, file)
    const text = readFileSync(path, 'utf8').replaceAll(ENGINE_PARTS, '')
    const named = file.endsWith('upgrading.md') ? text : text.replaceAll(template.name, name)
    writeFileSync(path, withoutDeadLinks(named, dirname(path)))
  }
}

/** Keeps the words of links to removed files. */
function withoutDeadLinks(text: string, folder: string): string {
  const anchors = new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => `#${slugOf(heading)}`))
  const isDead = (link: string) =>
    link.startsWith('#')
      ? !anchors.has(link)
      : !/^(https?|mailto):/.test(link) && !existsSync(join(folder, link.replace(/#.*/, '')))
  return text.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (whole, words, link) => (isDead(link) ? words : whole))
}

/** A replacement for text that occurs once. */
export type Edit = readonly [found: RegExp | string, replacement: string]

export function editorOf(target: string) {
  /** Throws if a text does not occur exactly once, because the template has changed. */
  return (file: string, edits: readonly Edit[]): void => {
    let text = readFileSync(join(target, file), 'utf8')
    for (const [found, replacement] of edits) {
      const count = typeof found === 'string' ? text.split(found).length - 1 : countOf(text, found)
      if (count !== 1) throw new Error(`${file} contains ${count} times ${found}. Correct scripts/new/.`)
      text = text.replace(found, () => replacement)
    }
    writeFileSync(join(target, file), text)
  }
}

function countOf(text: string, { source, flags }: RegExp): number {
  return [...text.matchAll(new RegExp(source, `${flags}g`))].length
}

function readme(name: string): string {
  return `# ${name}

A web app with accounts.

\`\`\`sh
npm start         # http://localhost:3000, with an inbox at /demo/inbox
npm run dev       # with reload
npm test          # every test
npm run doctor    # what is wrong with the settings, the data or the servers around
npm run help      # all commands
\`\`\`

| to | read |
|---|---|
| change the name, color, navigation and what an account consists of | \`app.config.ts\` |
| add pages, API calls, tables, emails, roles | [docs/building.md](docs/building.md), [an example](docs/build-your-own.md) |
| set it up for production | [docs/configuration.md](docs/configuration.md), [docs/operations.md](docs/operations.md) |
| find your way | [ARCHITECTURE.md](ARCHITECTURE.md) |
| take the next version of the engine | [docs/upgrading.md](docs/upgrading.md) |

Change \`app/\`, \`e2e/\` and \`deploy/\` as you like. \`packages/\` and \`scripts/\` come from the template ([license](LICENSE)).
`
}
