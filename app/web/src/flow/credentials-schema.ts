import { z } from '../schema.ts'
import { ruleTexts } from '../texts/fields.ts'

export const MINIMUM_PASSWORD_LENGTH = 6

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
