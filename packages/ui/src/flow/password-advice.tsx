import { adviceTexts as texts } from '../texts/fields.ts'
import { minLength } from './rules.ts'

/** Changes with what is typed, in the space of the longest, so that the form does not move. */
export function PasswordAdvice({ password }: { password: string }) {
  return (
    <span className="grid *:[grid-area:1/1]">
      <span>{adviceFor(password)}</span>
      <span
        aria-hidden="true"
        data-space={texts.start(minLength())}
        className="invisible before:content-[attr(data-space)]"
      />
    </span>
  )
}

/**
 * Advice rather than a rule. Length counts most, then variety. It promises nothing, because the service also refuses
 * common passwords and those close to the email. Common ones have no spaces and at most 20 characters.
 */
export function adviceFor(password: string): string {
  const characters = [...password]
  if (characters.length === 0) return texts.start(minLength())
  if (characters.length < minLength()) return texts.short(minLength())
  const score = characters.length + new Set(characters).size
  if (score < 16) return texts.weak
  if (score < 26 || (characters.length <= 20 && !/\S\s+\S/.test(password))) return texts.fair
  return texts.strong
}
