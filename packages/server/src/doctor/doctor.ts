import { styleText } from 'node:util'
import { StartError } from '../http/errors.ts'
import type { Product } from '../product/product.ts'
import { commandText, readSettings, type Settings } from '../settings/env.ts'
import { parseCommandLine, plural } from '../start/command-line.ts'
import { checkDatabase } from './database-checks.ts'
import { attempt, type Check, type Examination, type Finding, findingOf, ok } from './finding.ts'
import { checkJobs } from './job-checks.ts'
import { checkDataFolder, checkPolicy, checkPorts, checkSettings } from './local-checks.ts'
import {
  checkIdentityElsewhere,
  checkMail,
  checkProviders,
  checkPublicUrl,
  checkTraces,
} from './network-checks.ts'

const checks: readonly (readonly [string, Check])[] = [
  ['node', async () => [ok(process.version)]],
  ['settings', checkSettings],
  ['policy', checkPolicy],
  ['ports', checkPorts],
  ['data folder', checkDataFolder],
  ['database', checkDatabase],
  ['jobs', checkJobs],
  ['mail', checkMail],
  ['public url', checkPublicUrl],
  ['traces', checkTraces],
  ['identity', checkIdentityElsewhere],
  ['providers', checkProviders],
]

type Report = readonly (Finding & { readonly check: string })[]

const OPTIONS = {
  json: { type: 'boolean', default: false },
  deep: { type: 'boolean', default: false },
} as const

/** Prints problems with their remedy. Changes nothing. Exit code 1 if something is broken. */
export async function doctorCommand(product: Product, args: readonly string[]): Promise<void> {
  const usage = commandText('doctor', '[--json] [--deep]')
  const { json, deep } = parseCommandLine({ args: [...args], options: OPTIONS }, usage).values
  const report = await examine({ product, deep, now: () => new Date() }, () => readSettings(product))
  process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report))
  if (report.some(({ level }) => level === 'broken')) process.exitCode = 1
}

/** @param read throws `StartError`; the other checks need valid settings */
export async function examine(options: Omit<Examination, 'settings'>, read: () => Settings): Promise<Report> {
  const settings = attempt(read)
  if (settings instanceof StartError) {
    const problems = settings.message.split('\n')
    return problems.map((problem) => ({ check: 'settings', ...findingOf('broken', problem) }))
  }
  const results = checks.map(async ([check, run]) => {
    const findings = await run({ ...options, settings })
    return findings.map((finding) => ({ check, ...finding }))
  })
  return (await Promise.all(results)).flat()
}

const MARKS = {
  ok: styleText('green', 'ok  '),
  warning: styleText('yellow', 'warn'),
  broken: styleText('red', 'FAIL'),
}

function reportText(report: Report): string {
  const lines = report.flatMap(({ level, check, message, fix }) => [
    `  ${MARKS[level]} ${check.padEnd(12)} ${message}`,
    ...(fix ? [`${' '.repeat(20)}${fix}`] : []),
  ])
  const count = (level: Finding['level']) => report.filter((finding) => finding.level === level).length
  return `${lines.join('\n')}\n\n${count('broken')} broken, ${plural(count('warning'), 'warning')}.\n`
}
