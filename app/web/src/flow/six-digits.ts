import { z } from '../schema.ts'
import { ruleTexts } from '../texts/fields.ts'

/** A code as users paste it, with spaces or dashes between its digits. */
export const sixDigits = z.string().check(
  z.overwrite((text) => withAsciiDigits(text).replace(/\D/g, '')),
  z.regex(/^\d{6}$/, ruleTexts.appCode),
)

/** Arabic, Persian and Japanese keyboards type digits of their own. */
export function withAsciiDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => `${digit.charCodeAt(0) & 15}`)
}
