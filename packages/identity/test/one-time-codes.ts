// For tests of other packages.
export { fromBase32, totpCode } from '../src/crypto/otp.ts'
