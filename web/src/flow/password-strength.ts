import { MINIMUM_PASSWORD_LENGTH } from './credentials-schema.ts'

/** Advice in words, never a rule: length counts most, then how different the characters are. */
export function adviceFor(password: string): string {
  const characters = [...password]
  if (characters.length === 0)
    return `At least ${MINIMUM_PASSWORD_LENGTH} characters. Several words make a strong password.`
  if (characters.length < MINIMUM_PASSWORD_LENGTH) return `At least ${MINIMUM_PASSWORD_LENGTH} characters.`
  const score = characters.length + new Set(characters).size
  if (score < 16) return 'Strength: weak. Add another word or two.'
  if (score < 26) return 'Strength: fair. One more word makes it strong.'
  return 'Strength: strong.'
}
