/** UAX #15, "Stream-Safe Text Format". */
const MOST_MARKS = 30

// NFKC turns the half-width sound marks of Katakana into combining ones.
const RUN = /[\p{M}\uff9e\uff9f]{4,}/gu

export const TOO_MANY_MARKS = `Please use at most ${MOST_MARKS} combining marks, such as accents, in a row.`

export function stacksMarks(text: string): boolean {
  return runsOf(text).some((marks) => marks > MOST_MARKS)
}

const MOST_REMAINING = 1024

/**
 * Undefined above `longest` UTF-16 code units, or 1,024 combining marks in the result. Sorting a
 * run of marks takes quadratic time (SEC-63).
 */
export function normalise(form: 'NFC' | 'NFKC', text: string, longest: number): string | undefined {
  if (text.length > longest) return undefined
  // A letter absorbs at most three marks.
  const remaining = runsOf(text).reduce((sum, marks) => sum + marks - 3, 0)
  return remaining > MOST_REMAINING ? undefined : text.normalize(form)
}

/**
 * Letter by letter, as in Go. `toLowerCase` makes two characters of `İ`, and writes the last `Σ` of a word
 * differently.
 */
export function lowerCase(text: string): string {
  return text.replaceAll('İ', 'i').replaceAll('Σ', 'σ').toLowerCase()
}

/** Each script's digits are ten characters in a row. */
export function asciiDigits(text: string): string {
  return text.replaceAll(/(?!\d)\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    let zero = code
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
    return String((code - zero) % 10)
  })
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Removes zero-width, format and control characters, with which two names look like one. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '')
}

/** The lengths of the runs of more than three marks. */
function runsOf(text: string): readonly number[] {
  return (text.match(RUN) ?? []).map(countCodePoints)
}

/** A list would cost a long text milliseconds of garbage collection (SEC-64). */
export function countCodePoints(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; count += 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return count
}

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
