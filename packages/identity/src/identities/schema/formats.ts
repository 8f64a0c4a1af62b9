import type { FormatName } from 'ajv-formats'
import type { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Via } from '../../wire/identity.ts'
import { mailbox } from '../addresses/mailbox.ts'

export const STANDARD_FORMATS = [
  'date',
  'time',
  'date-time',
  'uri',
  'uri-reference',
  'uri-template',
  'hostname',
  'ipv4',
  'ipv6',
  'regex',
  'json-pointer',
  'relative-json-pointer',
] as const satisfies readonly FormatName[]

/** Kratos compatibility: other formats, such as `uuid`, are not checked. */
export const TRAIT_FORMATS: readonly string[] = ['email', 'tel', 'no-validate', ...STANDARD_FORMATS]

const PHONE_SEPARATORS = /[\s().\-/]/g
/** ITU-T E.164. */
const E164 = /^\+[1-9]\d{6,14}$/

/** Accepts the same addresses as the mail sender, so that no user waits in vain. */
export function isEmail(value: string): boolean {
  return mailbox(value.toLowerCase()) !== undefined
}

let parse: typeof parsePhoneNumberFromString | undefined

/** The metadata takes 19 MB and 0.2 s. Without it, anything like E.164 is valid. */
export async function loadPhoneNumbers(): Promise<void> {
  parse ??= (await import('libphonenumber-js/max')).parsePhoneNumberFromString
}

/** Whether this is an assigned number with its country code. */
export function isPhone(value: string): boolean {
  return phoneNumber(value) !== undefined
}

export function phoneNumber(value: string): string | undefined {
  const digits = value.replace(PHONE_SEPARATORS, '')
  // The library also accepts extensions, `tel:` URIs and digits of other scripts.
  if (!E164.test(digits)) return undefined
  if (!parse) return digits
  const parsed = parse(digits)
  return parsed?.isValid() ? parsed.number : undefined
}

/** Only email addresses contain an @. */
export function channelOf(address: string): Via {
  return address.includes('@') ? 'email' : 'sms'
}
