import type { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Via } from '../wire/identity.ts'
import { mailbox } from './mailbox.ts'

const PHONE_SEPARATORS = /[\s().\-/]/g
/** ITU-T E.164: at most fifteen digits. */
const E164 = /^\+[1-9]\d{6,14}$/

/**
 * One plain address that can be mailed to, in any case of letters: addresses are stored in lower case. What the mail
 * sender would refuse is no address here either, so no user waits for an email that cannot be sent.
 */
export function isEmail(value: string): boolean {
  return mailbox(value.toLowerCase()) !== undefined
}

let parse: typeof parsePhoneNumberFromString | undefined

/**
 * The numbers of all countries take 19 MB and a fifth of a second to load, so a service without phone numbers in its
 * schemas does without them: what looks like E.164 counts there.
 */
export async function loadPhoneNumbers(): Promise<void> {
  parse ??= (await import('libphonenumber-js/max')).parsePhoneNumberFromString
}

/** A number that its country assigns, with the country code; blanks, dots, dashes, slashes and brackets may stand in it. */
export function isPhone(value: string): boolean {
  return phoneNumber(value) !== undefined
}

/** As E.164 writes it, so that one number is one address however it is typed: `+442079460958`. */
export function phoneNumber(value: string): string | undefined {
  const digits = value.replace(PHONE_SEPARATORS, '')
  // Checked here first: the library also reads extensions, `tel:` addresses and the digits of other scripts.
  if (!E164.test(digits)) return undefined
  if (!parse) return digits
  const parsed = parse(digits)
  return parsed?.isValid() ? parsed.number : undefined
}

/** How an address is reached. Each email address has an @, and no phone number has. */
export function channelOf(address: string): Via {
  return address.includes('@') ? 'email' : 'sms'
}
