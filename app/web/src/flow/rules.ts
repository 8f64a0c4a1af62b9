import { ruleTexts, adviceTexts as texts } from '../texts/fields.ts'
import { z } from '../ui/form/schema.ts'

const MINIMUM_PASSWORD_LENGTH = 6

/** What login and registration ask for, checked before anything is sent. */
export const credentialsSchema = z.object({
  email: z.pipe(z.pipe(z.string(), z.transform(withoutInvisible)), z.email(ruleTexts.email)),
  password: z
    .string()
    .check(z.refine((value) => [...value].length >= MINIMUM_PASSWORD_LENGTH, ruleTexts.password)),
})

export type Credentials = z.infer<typeof credentialsSchema>

/** Spaces at the ends and zero-width characters come along when an address is copied. */
function withoutInvisible(text: string): string {
  return text.replace(/[\u200b-\u200d\u2060\ufeff]/g, '').trim()
}

/** Advice, not a rule: length counts most, then the variety of characters. */
export function adviceFor(password: string): string {
  const characters = [...password]
  if (characters.length === 0) return texts.start
  if (characters.length < MINIMUM_PASSWORD_LENGTH) return texts.short
  const score = characters.length + new Set(characters).size
  if (score < 16) return texts.weak
  if (score < 26) return texts.fair
  return texts.strong
}

/** A code as users paste it, with spaces or dashes between its digits. */
export const sixDigits = z.string().check(
  z.overwrite((text) => withAsciiDigits(text).replace(/\D/g, '')),
  z.regex(/^\d{6}$/, ruleTexts.appCode),
)

/** Arabic, Persian and Japanese keyboards type digits of their own. */
function withAsciiDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => `${digit.charCodeAt(0) & 15}`)
}

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
