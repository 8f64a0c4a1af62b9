import type { FormatName } from 'ajv-formats'
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

/** The only letters with ASCII ones in lower case, `İ` and the Kelvin sign. */
const BECOMES_ASCII = /[\u0130\u212a]/

/**
 * Accepts the same addresses as the mail sender, so that no user waits in vain, and none that a trait would show
 * with other letters than it was proven with (SEC-125).
 */
export function isEmail(value: string): boolean {
  return !BECOMES_ASCII.test(value) && mailbox(value.toLowerCase()) !== undefined
}

/** Only email addresses contain an @. */
export function channelOf(address: string): Via {
  return address.includes('@') ? 'email' : 'sms'
}
