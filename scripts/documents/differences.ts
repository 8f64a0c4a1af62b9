import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { root } from '../root.ts'

// docs/differences-from-ory-kratos.yaml is the source of the page and of the rules next to it.

const SOURCE = 'docs/differences-from-ory-kratos'

const COSTS = {
  none: 'no client notices',
  tests: "only a test that expects Kratos' answer notices",
  screens: 'a form looks different',
  step: 'a user takes one more step',
  error: 'a request that Kratos accepts is refused',
  start: 'a configuration that Kratos accepts is refused',
  data: 'accounts or sessions have different members',
  admin: 'programs on other machines that call the admin port need a setting or a token',
}

const Rule = z.strictObject({
  /** A flow, a method or a setting, in any recording. */
  scenario: z
    .string()
    .regex(/^\/[^^].+\/$/)
    .optional(),
  step: z.string().optional(),
  path: z.string(),
})

const Difference = z.strictObject({
  id: z.string().regex(/^D\d+$/),
  difference: z.string(),
  reason: z.string(),
  cost: z.enum(Object.keys(COSTS) as (keyof typeof COSTS)[]),
  /** The recorded facts that differ. */
  rules: z.array(Rule).optional(),
  /** Why no recording shows the difference. */
  unrecorded: z.string().optional(),
})

const Sections = z.record(z.string(), z.array(Difference))

export type Difference = z.infer<typeof Difference>

export function readDifferences(): Difference[] {
  return Object.values(readSections()).flat()
}

/** Texts by file. */
export function renderDifferences(): ReadonlyMap<string, string> {
  return new Map([
    [`${SOURCE}.md`, renderPage(readSections())],
    [`${SOURCE}.json`, renderRules(readDifferences())],
  ])
}

function readSections(): z.infer<typeof Sections> {
  return Sections.parse(parse(readFileSync(join(root, `${SOURCE}.yaml`), 'utf8')))
}

function renderPage(sections: z.infer<typeof Sections>): string {
  const tables = Object.entries(sections).map(([title, differences]) => {
    const rows = differences.map(({ id, difference, reason, cost }) => [id, difference, reason, cost])
    return `## ${title}\n\n${renderTable(['id', 'difference', 'reason', 'cost'], rows)}`
  })
  return [INTRODUCTION, renderTable(['cost', 'meaning'], Object.entries(COSTS)), ...tables].join('\n')
}

const INTRODUCTION = `<!-- Generated from differences-from-ory-kratos.yaml by \`npm run check -- --fix\`. -->

# Differences from Ory Kratos

Compared with responses recorded from Ory Kratos v26.2.0, everything that a client acts on is the same, except for this list. Message texts of the app are our own, and of the identity service alone those of Kratos (\`selfservice.texts\`).

The last column is the cost for a client written for Kratos:
`

/** In Markdown. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`.replaceAll('|  |', '| |'))
  return lines.toSpliced(1, 0, `|${'---|'.repeat(head.length)}\n`).join('')
}

/** One rule per line, in the form that the comparison with recordings reads. */
function renderRules(differences: readonly Difference[]): string {
  const rules = differences.flatMap(({ id, difference, rules = [] }) => {
    const [title] = difference.split(/\.(?: |$)/)
    return rules.map((rule) => `  ${JSON.stringify({ ...rule, why: `${id}: ${title}` })}`)
  })
  return `[\n${rules.join(',\n')}\n]\n`
}

if (import.meta.main) {
  for (const [path, text] of renderDifferences()) writeFileSync(join(root, path), text)
}
