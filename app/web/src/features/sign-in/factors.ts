import { sixDigits } from '../../flow/six-digits.ts'
import { z } from '../../schema.ts'
import { secondFactorTexts as texts } from '../../texts/second-factor.ts'

/** Second factors, in the protocol's names. */
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
    rule: z.string().check(z.trim(), z.minLength(1, texts.lookup_secret.empty)),
    ...texts.lookup_secret,
  },
}
