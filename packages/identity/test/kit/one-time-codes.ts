import { fromBase32, totpCode } from '../../src/crypto/otp.ts'

/** Returns the code of an authenticator app at a time in milliseconds. */
export const oneTimeCode = (secret: string, at: number) =>
  totpCode(fromBase32(secret), Math.floor(at / 30_000))
