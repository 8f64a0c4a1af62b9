import { product } from '../product.ts'
import { ruleTexts } from '../texts/fields.ts'
import { z } from '../ui/form/schema.ts'

export const credentialsSchema = z.object({
  email: z.pipe(z.pipe(z.string(), z.transform(withoutInvisible)), z.email({ error: () => ruleTexts.email })),
  password: z.string().check(z.refine((value) => [...value].length >= minLength(), { error: tooShort })),
})

export type Credentials = z.infer<typeof credentialsSchema>

export function tooShort(): string {
  return ruleTexts.password(minLength())
}

export function minLength(): number {
  return product().password.minLength
}

/** Copied addresses bring spaces and zero-width characters. */
function withoutInvisible(text: string): string {
  return text.replace(/[\u200b-\u200d\u2060\ufeff]/g, '').trim()
}

/** Arabic, Persian and Japanese keyboards type other digits. */
function withAsciiDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => `${digit.charCodeAt(0) & 15}`)
}

const CODE_LENGTH = 6

export function parseCode(typed: string): string {
  const text = withAsciiDigits(typed)
  const [inSentence] = text.match(/(?<!\d)\d(?:[\s\u200b-\u200d\u00a0-]*\d){5}(?!\d)/) ?? []
  return (inSentence ?? text).replace(/\D/g, '').slice(0, CODE_LENGTH)
}

export function isWholeCode(code: string): boolean {
  return code.length === CODE_LENGTH
}
