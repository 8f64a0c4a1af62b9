import { z } from 'zod'

const via = z.enum(['email', 'sms'])

/** The keyword `ory.sh/kratos` of a trait. */
export const marks = z.strictObject({
  credentials: z
    .strictObject({
      password: z.strictObject({ identifier: z.boolean().default(false) }).optional(),
      webauthn: z.strictObject({ identifier: z.boolean().default(false) }).optional(),
      passkey: z.strictObject({ display_name: z.boolean().default(false) }).optional(),
      totp: z.strictObject({ account_name: z.boolean().default(false) }).optional(),
      code: z.strictObject({ identifier: z.boolean().default(false), via: via.optional() }).optional(),
    })
    .default({}),
  verification: z.strictObject({ via }).optional(),
  recovery: z.strictObject({ via }).optional(),
  organizations: z.strictObject({ matcher: z.string() }).optional(),
})

export type Marks = z.output<typeof marks>

export function identifies({ credentials }: Marks): boolean {
  const { password, webauthn, passkey, totp, code } = credentials
  return [
    password?.identifier,
    webauthn?.identifier,
    passkey?.display_name,
    totp?.account_name,
    code?.identifier,
  ].includes(true)
}

export function impliedFormat({ credentials, verification, recovery }: Marks): 'email' | 'tel' | undefined {
  const code = credentials.code?.identifier === true ? credentials.code.via : undefined
  const channel = verification?.via ?? recovery?.via ?? code
  if (channel === undefined) return undefined
  return channel === 'email' ? 'email' : 'tel'
}
