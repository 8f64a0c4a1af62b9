import type { IdentityConfigInput } from '@ostiary/identity'
import { type Inspection, inspectSettings, isObject, lineOf } from '@ostiary/identity/serving'
import { kratos } from '../kratos.ts'
import { type Difference, differencesOf } from './differences.ts'

/**
 * Prints what changes for the clients of an Ory Kratos with this configuration. Returns the exit code: 1 if a
 * client would notice a change, 2 if the service would not start.
 */
export async function check(input: IdentityConfigInput): Promise<0 | 1 | 2> {
  const comparison = await compareWithKratos(input)
  process.stdout.write(reportOf(comparison, input))
  if (comparison.issues.length > 0) return 2
  return isNoticed(comparison) ? 1 : 0
}

interface Comparison extends Pick<Inspection, 'issues' | 'ignored'> {
  readonly differences: readonly Difference[]
}

/** Reads an Ory Kratos configuration without starting the service. */
export async function compareWithKratos(input: IdentityConfigInput): Promise<Comparison> {
  const { loaded, parsed, issues, ignored } = await inspectSettings(input, kratos)
  return { issues, ignored, differences: parsed ? await differencesOf(parsed, loaded) : [] }
}

function reportOf(comparison: Comparison, input: object): string {
  const { issues, ignored, differences } = comparison
  const changed = [...issues, ...ignored, ...differences].map(({ path }) => path)
  const unchanged = pathsOf(input).filter((path) => !changed.some((other) => path.startsWith(other)))
  const sections: [title: string, lines: string[]][] = [
    ['Invalid, so the service does not start', issues.map(lineOf)],
    ['Unsupported, and clients notice', warningsOf(ignored, true)],
    ['Unsupported, and only operators notice', warningsOf(ignored, false)],
    [
      'Different, with the cost for clients (docs/differences-from-ory-kratos.md)',
      differences.map(({ id, cost, path, effect }) => `${id} (${cost}) ${path}: ${effect}`),
    ],
  ]
  return [
    ...sections
      .filter(([, lines]) => lines.length > 0)
      .map(([title, lines]) => `${title}:\n${lines.map((line) => `  ${line}\n`).join('')}\n`),
    `Supported: the other ${unchanged.length} settings.\n`,
    isNoticed(comparison) ? 'Clients would notice a change.\n' : 'No client would notice a change.\n',
  ].join('')
}

function warningsOf(ignored: Comparison['ignored'], noticed: boolean): string[] {
  return ignored
    .filter(({ isNoticedByClients }) => isNoticedByClients === noticed)
    .map(({ warning }) => warning)
}

/** Other costs are a step for users, or a request that clients seldom send. */
const NOTICED = ['screens', 'data', 'admin']

function isNoticed({ ignored, differences }: Comparison): boolean {
  return (
    ignored.some(({ isNoticedByClients }) => isNoticedByClients) ||
    differences.some(({ cost }) => NOTICED.includes(cost))
  )
}

/** Lists count as one setting. */
function pathsOf(node: object, above = ''): string[] {
  return Object.entries(node).flatMap(([name, member]) =>
    isObject(member) ? pathsOf(member, `${above}${name}.`) : [above + name],
  )
}
