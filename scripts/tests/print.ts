import { relative } from 'node:path'
import type { EventData } from 'node:test'
import { inspect, styleText } from 'node:util'
import { root } from '../child.mjs'

export type Passed = EventData.TestPass
export type Failed = EventData.TestFail

export function printHeading(text: string): void {
  console.log(`\n${styleText('bold', text)}`)
}

/**
 * One line for a file of tests; its output follows only if one of them failed.
 * @param said the output of each file
 */
export function printFile(summary: EventData.TestSummary, said: ReadonlyMap<string, string>): void {
  const { success, counts, duration_ms, file } = summary
  if (!file) return // the summary of all files
  const mark = success ? styleText('green', 'ok  ') : styleText('red', 'FAIL')
  const figures = styleText('dim', `${counts.tests} tests, ${Math.round(duration_ms)} ms`)
  console.log(`  ${mark} ${relative(root, file)}  ${figures}`)
  const output = said.get(file)
  if (!success && output) console.log(indent(output))
}

export function printFailure(data: Passed | Failed, said: ReadonlyMap<string, string>): void {
  const { name, file, line } = data
  const place = file ? `${relative(root, file)}${line ? `:${line}` : ''}` : ''
  console.log(`  ${styleText('red', 'FAIL')} ${isFile(data) ? '' : `${name}  `}${styleText('dim', place)}`)
  console.log(indent(reason(data, said)))
}

/** A file that contains no test, or that ends early, is reported as a test named like the file. */
export function isFile({ name, nesting }: Passed | Failed): boolean {
  return nesting === 0 && name.endsWith('.test.ts')
}

function reason(data: Passed | Failed, said: ReadonlyMap<string, string>): string {
  const { details } = data
  if (!('error' in details)) return 'This file contains no test.'
  // A file that ended early has printed why on its error output; we only know that it failed.
  const output = isFile(data) ? said.get(data.name) : undefined
  const error = details.error.cause ?? details.error
  return output ?? (typeof error === 'string' ? error : inspect(error))
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '       ')
}
