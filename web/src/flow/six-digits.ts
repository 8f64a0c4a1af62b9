import { z } from '../schema.ts'
import { ruleTexts } from '../texts/fields.ts'

/** A code as users paste it, with spaces or dashes between its digits. */
export const sixDigits = z.string().check(
  z.overwrite((text) => text.replace(/\D/g, '')),
  z.regex(/^\d{6}$/, ruleTexts.appCode),
)
