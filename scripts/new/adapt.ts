import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as template from '../../app.config.ts'
import type { Choices } from './create.ts'

/** Turns a copy of the template into a product. */
export function adaptProject(target: string, choices: Choices): void {
  const edit = (file: string, change: (text: string) => string) => editFile(target, file, change)
  edit('app.config.ts', (text) => describeProduct(text, choices))
  edit('packages/ui/vite/size.ts', raiseBudgets)
  edit('package.json', (text) => adaptManifest(text, choices))
  edit('knip.json', adaptUnusedCodeCheck)
  writeFileSync(join(target, 'README.md'), readme(choices.name))
  for (const file of globSync('{*.md,docs/**/*.md,packages/*/README.md}', { cwd: target }))
    edit(file, (text) => adaptDocument(text, join(target, file), choices.name))
}

function editFile(target: string, file: string, change: (text: string) => string): void {
  const path = join(target, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

function describeProduct(text: string, { name, providers }: Choices): string {
  const left = template.demoProviders.filter(({ id }) => !providers.includes(id))
  return [
    [`name = ${quote(template.name)}`, `name = ${quote(name)}`],
    ['© 2024', `© ${new Date().getFullYear()}`],
    ...left.map(({ id, label }) => [`  { id: '${id}', label: '${label}' },\n`, '']),
  ].reduce((edited, [old = '', replacement = '']) => replaceOnce(edited, old, replacement), text)
}

function replaceOnce(text: string, old: string, replacement: string): string {
  const parts = text.split(old)
  if (parts.length === 2) return parts.join(replacement)
  const lines = parts.slice(0, -1).map(
    (_, n) =>
      parts
        .slice(0, n + 1)
        .join(old)
        .split('\n').length,
  )
  const found = lines.length === 0 ? 'nowhere' : `in the lines ${lines.join(', ')}`
  throw new Error(`app.config.ts contains ${JSON.stringify(old)} ${found}. Correct scripts/new/adapt.ts.`)
}

function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}

/** The template fills its budgets. A longer name weighs more, and a dashboard gets lists and forms. */
function raiseBudgets(text: string): string {
  return text.replaceAll(
    /('\/dashboard': )?(\d+)_000\b/g,
    (_, dashboard = '', kilobytes) => `${dashboard}${Number(kilobytes) + (dashboard ? 16 : 1)}_000`,
  )
}

const TEMPLATE_COMMANDS = ['bench', 'conformance', 'new', 'pack']

function adaptManifest(text: string, choices: Choices): string {
  const { license: _, workspaces, scripts, ...rest } = JSON.parse(text) as Manifest
  return toJson({
    ...rest,
    description: `${choices.name}, a web app with accounts.`,
    template: choices,
    workspaces: workspaces.filter((folder) => folder !== 'bench'),
    scripts: without(scripts, (name) => TEMPLATE_COMMANDS.includes(name)),
  })
}

interface Manifest {
  readonly license: string
  readonly workspaces: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
}

/** A product takes the packages as they are. */
function adaptUnusedCodeCheck(text: string): string {
  const { workspaces, ...rest } = JSON.parse(text) as { workspaces: Readonly<Record<string, object>> }
  return toJson({
    ...rest,
    ignoreWorkspaces: ['packages/*'],
    workspaces: without(workspaces, (folder) => /^(packages|bench)\b/.test(folder)),
  })
}

function without<T>(table: Readonly<Record<string, T>>, isLeftOut: (key: string) => boolean) {
  return Object.fromEntries(Object.entries(table).filter(([key]) => !isLeftOut(key)))
}

function toJson(content: object): string {
  return `${JSON.stringify(content, undefined, 2)}\n`
}

function adaptDocument(text: string, path: string, name: string): string {
  const named = path.endsWith('upgrading.md') ? text : text.replaceAll(template.name, name)
  return withoutDeadLinks(named.replaceAll(/ \(\[decision \d+\]\([^)]*\)\)/g, ''), dirname(path))
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

export function slugOf(name: string): string {
  const words = name
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z\d]+/g, '-')
  return words.replaceAll(/^-|-$/g, '') || 'app'
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
