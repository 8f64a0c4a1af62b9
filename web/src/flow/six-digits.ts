import { z } from '../schema.ts'
import { ruleTexts } from '../texts/fields.ts'

/** A code as users paste it, with spaces or dashes between its digits. */
export const sixDigits = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text: string) => text.replace(/\D/g, '')),
  ),
  z.string().check(z.regex(/^\d{6}$/, ruleTexts.appCode)),
)
