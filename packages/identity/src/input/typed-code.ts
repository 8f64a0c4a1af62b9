import { asciiDigits, lowerCase, normalise, withoutInvisible } from './normalise.ts'

/** Longer texts are not codes. */
const LONGEST = 256

/**
 * Emailed codes, codes of authenticator apps and backup codes as people type, dictate or paste them: with
 * spaces and dashes, in capitals, in full-width characters or in the digits of another script.
 */
export function typedCode(text: string): string {
  const plain = asciiDigits(withoutInvisible(normalise('NFKC', text, LONGEST) ?? text))
  return lowerCase(plain.replaceAll(/[\s\p{Pd}\u2212]/gu, ''))
}
