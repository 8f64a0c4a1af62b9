import { fromBase32, totpCode } from '../../src/crypto/otp.ts'

export const oneTimeCode = (secret: string, at: number) =>
  totpCode(fromBase32(secret), Math.floor(at / 30_000))
