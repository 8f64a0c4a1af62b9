import { lowerCase, normalise, withoutInvisible } from './normalise.ts'

/** A longer text is no code. */
const LONGEST = 256

/**
 * Emailed codes, codes of authenticator apps and backup codes as people type, dictate or paste them: with
 * spaces and dashes, in capitals, in full-width characters or in the digits of another script.
 */
export function typedCode(text: string): string {
  const plain = asciiDigits(withoutInvisible(normalise('NFKC', text, LONGEST) ?? text))
  return lowerCase(plain.replaceAll(/[\s\p{Pd}\u2212]/gu, ''))
}

/** Each script's digits are ten characters in a row. */
function asciiDigits(text: string): string {
  return text.replaceAll(/(?!\d)\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    let zero = code
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
    return String((code - zero) % 10)
  })
}
