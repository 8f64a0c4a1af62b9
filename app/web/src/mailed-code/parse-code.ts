import { withAsciiDigits } from '../flow/six-digits.ts'

const CODE_LENGTH = 6

/** Digits only, and no more than a code has; from a pasted sentence the code in it. */
export function parseCode(typed: string): string {
  const text = withAsciiDigits(typed)
  const [inSentence] = text.match(/(?<!\d)\d(?:[\s\u200b-\u200d\u00a0-]*\d){5}(?!\d)/) ?? []
  return (inSentence ?? text).replace(/\D/g, '').slice(0, CODE_LENGTH)
}

export function isWholeCode(code: string): boolean {
  return code.length === CODE_LENGTH
}
