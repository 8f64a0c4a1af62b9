import { styleText } from 'node:util'
import type { FileResult } from './pool.ts'

export function headingText(text: string): string {
  return `\n${styleText('bold', text)}\n`
}

/** One line for a file of tests; when one of them failed, the reason and what they printed follow. */
export function fileText({ file, verdicts, milliseconds, output }: FileResult): string {
  const failures = verdicts.filter(({ verdict }) => verdict === 'failed')
  const mark = failures.length === 0 ? styleText('green', 'ok  ') : styleText('red', 'FAIL')
  const figures = styleText('dim', `${verdicts.length} tests, ${Math.round(milliseconds)} ms`)
  const lines = [`  ${mark} ${file}  ${figures}`]
  for (const { name, error = '' } of failures) {
    const title = name === file ? '' : `${name}  `
    lines.push(`  ${styleText('red', 'FAIL')} ${title}${styleText('dim', file)}`, indent(error))
  }
  if (failures.length > 0 && output) lines.push(indent(output))
  return `${lines.join('\n')}\n`
}

/** The lines of JSON that the tests of a file have printed: what a fault measured, also when all of them passed. */
export function figuresText({ output }: FileResult): string {
  const lines = output.split('\n').filter((line) => line.startsWith('{"id":'))
  return lines.map((line) => `       ${line}\n`).join('')
}

/** For a program whose output passes through here: it sees no terminal. */
export function colours(): NodeJS.ProcessEnv {
  return process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '       ')
}
