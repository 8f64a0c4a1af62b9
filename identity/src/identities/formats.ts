import { mailbox } from './mailbox.ts'

const PHONE_SEPARATORS = /[\s().\-/]/g
const E164 = /^\+[1-9]\d{6,14}$/

/**
 * One plain address that can be mailed to, in any case of letters: addresses are stored in lower case. What the mail
 * sender would refuse is no address here either, so no user waits for an email that cannot be sent.
 */
export function isEmail(value: string): boolean {
  return mailbox(value.toLowerCase()) !== undefined
}

/** A number with its country code; blanks, dots, dashes, slashes and brackets may stand in it. */
export function isPhone(value: string): boolean {
  return phoneNumber(value) !== undefined
}

/** As E.164 writes it: `+442079460958`. */
export function phoneNumber(value: string): string | undefined {
  const digits = value.replace(PHONE_SEPARATORS, '')
  return E164.test(digits) ? digits : undefined
}
