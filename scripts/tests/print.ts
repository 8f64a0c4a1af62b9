import { styleText } from 'node:util'
import type { FileResult } from './pool.ts'

export function printHeading(text: string): void {
  console.log(`\n${styleText('bold', text)}`)
}

/** One line for a file of tests; when one of them failed, the reason and what they printed follow. */
export function printFile({ file, verdicts, milliseconds, output }: FileResult): void {
  const failures = verdicts.filter(({ verdict }) => verdict === 'failed')
  const mark = failures.length === 0 ? styleText('green', 'ok  ') : styleText('red', 'FAIL')
  const figures = styleText('dim', `${verdicts.length} tests, ${Math.round(milliseconds)} ms`)
  console.log(`  ${mark} ${file}  ${figures}`)
  for (const { name, line, error = '' } of failures) {
    const place = styleText('dim', line === undefined ? file : `${file}:${line}`)
    console.log(`  ${styleText('red', 'FAIL')} ${name === file ? '' : `${name}  `}${place}`)
    console.log(indent(error))
  }
  if (failures.length > 0 && output) console.log(indent(output))
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '       ')
}
