import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { normalise } from '../../input/normalise.ts'

/** `own`: names that each user of this service knows. Digits and signs around them do not help. */
export function isCommon(password: string, ownNames: readonly string[]): boolean {
  common ??= readList()
  const text = normalise('NFKC', password, LONGEST)?.toLowerCase()
  if (text === undefined) return false
  return common.has(text) || ownNames.some((name) => lettersOf(name) === lettersOf(text))
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
}

/** Up to 24 characters, each made of at most eight code units by NFKC. */
const LONGEST = 8 * 24

let common: ReadonlySet<string> | undefined

/**
 * The 42,692 lower-case entries with 6 to 24 characters and no spaces from `passwords.json` of
 * @zxcvbn-ts/language-common 4.1.3 (MIT).
 */
function readList(): ReadonlySet<string> {
  const file = new URL('./common-passwords.txt.gz', import.meta.url)
  return new Set(gunzipSync(readFileSync(file)).toString().trimEnd().split('\n'))
}
