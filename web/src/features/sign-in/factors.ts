import { sixDigits } from '../../flow/six-digits.ts'
import { z } from '../../schema.ts'
import { secondFactorTexts as texts } from '../../texts/second-factor.ts'

/** What can follow the first step of signing in, as the protocol names it. */
export type Factor = 'totp' | 'lookup_secret'

interface Words {
  /** The flow's name of the field. */
  readonly field: string
  readonly rule: z.ZodMiniType<string>
  readonly label: string
  readonly lead: string
  /** The link that chooses it. */
  readonly instead: string
}

export const factors: Record<Factor, Words> = {
  totp: {
    field: 'totp_code',
    rule: sixDigits,
    ...texts.totp,
  },
  lookup_secret: {
    field: 'lookup_secret',
    rule: z.pipe(
      z.pipe(
        z.string(),
        z.transform((text: string) => text.trim()),
      ),
      z.string().check(z.minLength(1, texts.lookup_secret.empty)),
    ),
    ...texts.lookup_secret,
  },
}

const KEY = 'last-factor'

/** Keeps which factor was used, so that it is asked for first the next time. */
export function rememberFactor(factor: Factor): void {
  try {
    localStorage.setItem(KEY, factor)
  } catch {
    // A browser may forbid it; then nothing is remembered.
  }
}

export function lastFactor(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}
