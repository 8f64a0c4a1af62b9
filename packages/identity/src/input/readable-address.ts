/**
 * Spells the domains of email addresses in a text for people: in Unicode if no letters imitate others, and in
 * Punycode otherwise (SEC-121). Also runs in the browser, so this file imports nothing.
 */
export function readableAddresses(text: string): string {
  return text.replaceAll(/(?<=@)[\p{L}\p{M}\p{N}\p{S}.-]+/gu, (domain) =>
    domain.split('.').map(readableLabel).join('.'),
  )
}

function readableLabel(label: string): string {
  if (!/^xn--|[^\0-\x7f]/i.test(label)) return label
  const ascii = asciiLabel(label)
  if (ascii === undefined) return label
  const unicode = decodePunycode(ascii.slice(PREFIX.length))
  return unicode !== undefined && isDistinct(unicode) && asciiLabel(unicode) === ascii ? unicode : ascii
}

const PREFIX = 'xn--'

/** By the URL parser (UTS 46), which browsers have too. Undefined for an invalid name. */
function asciiLabel(label: string): string | undefined {
  const url = `https://${label}`
  const ascii = URL.canParse(url) ? new URL(url).hostname : ''
  return ascii.startsWith(PREFIX) ? ascii : undefined
}

const SCRIPTS = `Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi
  Hangul Hebrew Kannada Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan`

/** Letters of one script; Japanese has three. */
const ONE_SCRIPT = [...SCRIPTS.split(/\s+/).map((name) => [name]), ['Han', 'Hiragana', 'Katakana']].map(
  (names) => new RegExp(`^[\\d${names.map((name) => `\\p{scx=${name}}`).join('')}-]+$`, 'u'),
)

/** Without symbols, digits of other scripts, and accents that Unicode has no letter for. */
const LETTERS = /^(?!.*[\u0300-\u036f])[\p{L}\p{M}\d-]+$/u

/** In Latin, `ı`, `þ`, `ĸ` and phonetic letters imitate others. */
const PLAIN_LATIN = /^[\da-zß-ýÿ-İĲ-ķĹ-žơưșțḁ-ỹ-]+$/

/** All letters look like Latin ones or digits, as browsers list them. */
const IMITATES_LATIN =
  /^(?:[аысԁеԍһіюјӏорԗԛѕԝхуъьҽпгѵѡз\d-]+|[αικνρυωηοτγ\d-]+|[ագզէլհյոսւօ\d-]+|[ሀሠሰስበነተከዐዕዘጠፐ\d-]+|[იოყძხჽჿ\d-]+|[דוחיןסװ\d-]+|[ทนบพรหเแดลปฟม\d-]+)$/

function isDistinct(label: string): boolean {
  if (!LETTERS.test(label) || IMITATES_LATIN.test(label)) return false
  return (
    ONE_SCRIPT.some((script) => script.test(label)) &&
    (!/\p{scx=Latin}/u.test(label) || PLAIN_LATIN.test(label))
  )
}

/** RFC 3492, 6.2. Undefined for invalid input. */
function decodePunycode(text: string): string | undefined {
  const hyphen = text.lastIndexOf('-')
  const letters = [...text.slice(0, Math.max(hyphen, 0))]
  const digits = Array.from(text.slice(hyphen + 1), (digit) => (Number.parseInt(digit, 36) + 26) % 36)
  let [code, index, bias] = [128, 0, 72]
  while (digits.length > 0) {
    const start = index
    for (let weight = 1, base = 36; ; base += 36) {
      const digit = digits.shift() ?? Number.NaN
      const threshold = Math.min(Math.max(base - bias, 1), 26)
      index += digit * weight
      if (!(digit >= threshold)) break
      weight *= 36 - threshold
    }
    const size = letters.length + 1
    bias = adaptBias(index - start, size, start === 0)
    code += Math.floor(index / size)
    if (!(code <= 0x10_ff_ff)) return undefined
    index %= size
    letters.splice(index, 0, String.fromCodePoint(code))
    index += 1
  }
  return letters.join('')
}

function adaptBias(delta: number, size: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2))
  rest += Math.floor(rest / size)
  let bias = 0
  for (; rest > 455; bias += 36) rest = Math.floor(rest / 35)
  return bias + Math.floor((36 * rest) / (rest + 38))
}
