import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { normalise } from '../../input/normalise.ts'

export function isCommon(password: string): boolean {
  common ??= readList()
  const text = normalise('NFKC', password, LONGEST)
  return text !== undefined && common.has(text.toLowerCase())
}

/** Up to 24 characters, each made of at most eight code units by NFKC. */
const LONGEST = 8 * 24

let common: ReadonlySet<string> | undefined

/**
 * The first 10,000 lower-case entries with 6 to 24 characters and no spaces from `passwords.json` of
 * @zxcvbn-ts/language-common 4.1.3 (MIT).
 */
function readList(): ReadonlySet<string> {
  const file = new URL('./common-passwords.txt.gz', import.meta.url)
  return new Set(gunzipSync(readFileSync(file)).toString().trimEnd().split('\n'))
}
