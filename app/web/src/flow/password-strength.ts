import { adviceTexts as texts } from '../texts/fields.ts'
import { MINIMUM_PASSWORD_LENGTH } from './credentials-schema.ts'

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
