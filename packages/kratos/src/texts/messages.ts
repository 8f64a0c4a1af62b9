import { readableAddresses } from '@ostiary/identity/input/readable-address'
import type { UiText } from '@ostiary/identity/wire'

type Values = Readonly<Record<string, unknown>>

const USED = 'The request was already completed successfully and can not be retried.'
const SPELLING =
  'If you have not received an email, check the spelling of the address and make sure to use the address you registered with.'
const DUPLICATE = 'An account with the same identifier (email, phone, username, ...) exists already.'
const expired = (flow: string) => `The ${flow} flow expired {since} minutes ago, please try again.`
const noStrategy = (purpose: string) =>
  `Could not find a strategy to ${purpose}. Did you fill out the form correctly?`
const codeWrong = (name: string) => `The ${name} is invalid or has already been used. Please try again.`
const tokenWrong = (name: string) => `The ${name} is invalid or has already been used. Please retry the flow.`

/** Ory Kratos' sentences by id. The other ids consist of their context. */
const SENTENCES: Readonly<Record<number, string>> = {
  1010001: 'Sign in',
  1010002: 'Sign in with {provider}',
  1010003: 'Please confirm this action by verifying that it is you.',
  1010004: 'Please complete the second authentication challenge.',
  1010006: 'Authentication code',
  1010007: 'Backup recovery code',
  1010008: 'Sign in with hardware key',
  1010009: 'Use Authenticator',
  1010010: 'Use backup recovery code',
  1010012: 'Prepare your WebAuthn device (e.g. security key, biometrics scanner, ...) and press continue.',
  1010013: 'Continue',
  1010014:
    "A code was sent to the address you provided. If you didn't receive it, please check the spelling of the address and try again.",
  1010015: 'Send sign in code',
  1010016:
    'You tried to sign in with "{duplicate_identifier}", but that email is already used by another account. Sign in to your account with one of the options below to add your account "{duplicate_identifier}" at "{provider}" as another way to sign in.',
  1010017: 'Sign in and link',
  1010018: 'Confirm with {provider}',
  1010021: 'Sign in with passkey',
  1010022: 'Sign in with password',
  1010023: 'Send code to {address}',
  1040001: 'Sign up',
  1040002: 'Sign up with {provider}',
  1040003: 'Continue',
  1040004: 'Sign up with security key',
  1040005:
    'A code has been sent to the address(es) you provided. If you have not received a message, check the spelling of the address and retry the registration.',
  1040006: 'Send sign up code',
  1040007: 'Sign up with passkey',
  1040008: 'Back',
  1040009: 'Please choose a credential to authenticate yourself with.',
  1050001: 'Your changes have been saved!',
  1050002: 'Link {provider}',
  1050003: 'Unlink {provider}',
  1050004: 'Unlink TOTP Authenticator App',
  1050005: 'Authenticator app QR code',
  1050007: 'Reveal backup recovery codes',
  1050008: 'Generate new backup recovery codes',
  1050010: 'These are your back up recovery codes. Please keep them in a safe place!',
  1050011: 'Confirm backup recovery codes',
  1050012: 'Add security key',
  1050013: 'Name of the security key',
  1050014: 'Secret was used at {used_at_in_go}',
  1050015: '{secret_list}',
  1050016: 'Disable this method',
  1050017: 'This is your authenticator app secret. Use it if you can not scan the QR code.',
  1050018: 'Remove security key "{display_name}"',
  1050019: 'Add passkey',
  1050020: 'Remove passkey "{display_name}"',
  1060001:
    'You successfully recovered your account. Please change your password or set up an alternative login method (e.g. social sign in) within the next {left} minutes.',
  1060002: `An email containing a recovery link has been sent to the email address you provided. ${SPELLING}`,
  1060003: `An email containing a recovery code has been sent to the email address you provided. ${SPELLING}`,
  1060004:
    'A recovery code has been sent to {masked_address}. If you have not received it, check the spelling of the address and make sure to use the address you registered with.',
  1060005: 'Recover access to your account by providing your recovery address in full.',
  1060006: 'How do you want to recover your account?',
  1060007: 'Back',
  1070001: 'Password',
  1070003: 'Save',
  1070004: 'ID',
  1070006: 'Verify code',
  1070007: 'Email',
  1070008: 'Resend code',
  1070009: 'Continue',
  1070010: 'Recovery code',
  1070011: 'Verification code',
  1070012: 'Registration code',
  1070013: 'Login code',
  1070016: 'Recovery address',
  1070017: 'Phone number',
  1080001: `An email containing a verification link has been sent to the email address you provided. ${SPELLING}`,
  1080002: 'You successfully verified your email address.',
  1080003: `An email containing a verification code has been sent to the email address you provided. ${SPELLING}`,
  4000002: 'Property {property} is missing.',
  4000003: 'length must be >= {min_length}, but got {actual_length}',
  4000004: 'does not match pattern {pattern_quoted}',
  4000005: 'The password can not be used because {reason}.',
  4000006:
    'The provided credentials are invalid, check for spelling mistakes in your password or username, email address, or phone number.',
  4000007: DUPLICATE,
  4000008: 'The provided authentication code is invalid, please try again.',
  4000009:
    'Could not find any login identifiers. Did you forget to set them? This could also be caused by a server misconfiguration.',
  4000010: 'Account not active yet. Did you forget to verify your email address?',
  4000011: 'You have no TOTP device set up.',
  4000012: 'This backup recovery code has already been used.',
  4000013: 'You have no WebAuthn device set up.',
  4000014: 'You have no backup recovery codes set up.',
  4000015: 'This account does not exist or has no security key set up.',
  4000016: 'The backup recovery code is not valid.',
  4000017: 'length must be <= {max_length}, but got {actual_length}',
  4000018: 'must be >= {minimum} but found {actual}',
  4000019: 'must be > {minimum} but found {actual}',
  4000020: 'must be <= {maximum} but found {actual}',
  4000021: 'must be < {maximum} but found {actual}',
  4000022: '{actual} not multipleOf {base}',
  4000023: 'maximum {max_items} items allowed, but found {actual_items} items',
  4000024: 'minimum {min_items} items allowed, but found {actual_items} items',
  4000025: 'items at index {index_a} and {index_b} are equal',
  4000026: 'expected {allowed}, but got {actual_type}',
  4000028: 'You tried signing in with {whose} which is already in use by another account.{ways}{providers}',
  4000029: 'must be equal to constant {expected}',
  4000030: 'const failed',
  4000031: 'The password can not be used because it is too similar to the identifier.',
  4000032: 'The password must be at least {min_length} characters long, but got {actual_length}.',
  4000033: 'The password must be at most {max_length} characters long, but got {actual_length}.',
  4000034: 'The password has been found in data breaches and must no longer be used.',
  4000035: 'This account does not exist or has not setup sign in with code.',
  4000036: 'The provided traits do not match the traits previously associated with this flow.',
  4000037: 'This account does not exist or has no login method configured.',
  4000039: 'The new password must be different from the old password.',
  4000040: 'Enter a valid email address',
  4000041: 'Enter a valid phone number',
  4010001: expired('login'),
  4010002: noStrategy('log you in with'),
  4010003: noStrategy('sign you up with'),
  4010004: noStrategy('update your settings'),
  4010005: noStrategy('recover your account with'),
  4010006: noStrategy('verify your account with'),
  4010008: codeWrong('login code'),
  4010009: 'Linked credentials do not match.',
  4010010: 'The address you entered does not match any known addresses in the current account.',
  4010011: 'This account has been disabled. Please contact support for assistance.',
  4040001: expired('registration'),
  4040003: codeWrong('registration code'),
  4050001: expired('settings'),
  4060001: USED,
  4060004: tokenWrong('recovery token'),
  4060005: expired('recovery'),
  4060006: codeWrong('recovery code'),
  4070001: tokenWrong('verification token'),
  4070002: USED,
  4070005: expired('verification'),
  4070006: codeWrong('verification code'),
}

/** Returns a message with an unknown id unchanged. */
export function inKratosWords(message: UiText, now: Date): UiText {
  const sentence = SENTENCES[message.id]
  if (sentence === undefined) return message
  const { context: before = {} } = message
  const { secrets } = before
  const context = isMessages(secrets)
    ? { ...before, secrets: secrets.map((secret) => inKratosWords(secret, now)) }
    : before
  const text = sentence.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(context[name] ?? DERIVED[name]?.(context, now) ?? ''),
  )
  return { ...message, text: readableAddresses(text), ...(message.context && { context }) }
}

/** Backup codes are a list of messages. */
function isMessages(value: unknown): value is readonly UiText[] {
  return Array.isArray(value)
}

const DERIVED: Readonly<Record<string, (context: Values, now: Date) => string>> = {
  since: ({ expired_at }, now) => minutes(now.getTime() - Date.parse(String(expired_at))),
  left: ({ privileged_session_expires_at }, now) =>
    minutes(Date.parse(String(privileged_session_expires_at)) - now.getTime()),
  // Go's format of a time.
  used_at_in_go: ({ used_at }) => String(used_at).replace(/T(.{8}).*/, ' $1 +0000 UTC'),
  secret_list: ({ secrets }) => (isMessages(secrets) ? secrets.map(({ text }) => text).join(', ') : ''),
  pattern_quoted: ({ pattern }) => JSON.stringify(pattern),
  allowed: ({ allowed_types }) => strings(allowed_types).join(' or '),
  whose: ({ credential_identifier_hint }) =>
    String(credential_identifier_hint || 'an email, phone, or username'),
  ways: ({ available_credential_types }) => sentenceOf(strings(available_credential_types)),
  providers: ({ available_oidc_providers }) => {
    const names = strings(available_oidc_providers).map(
      (name) => name.charAt(0).toUpperCase() + name.slice(1),
    )
    return names.length === 0
      ? ''
      : ` You can sign in using one of the following social sign in providers: ${names.join(', ')}.`
  },
}

const WAYS: Readonly<Record<string, string>> = {
  password: 'your password',
  oidc: 'social sign in',
  webauthn: 'your passkey or a security key',
  passkey: 'your passkey',
}

function sentenceOf(types: readonly string[]): string {
  const knownWays = types.flatMap((type) => WAYS[type] ?? [])
  const ways = knownWays.length > 0 ? knownWays : types
  const list = ways.map((way, index) => (index > 0 && index === ways.length - 1 ? `or ${way}` : way))
  return list.length === 0 ? '' : ` You can sign in using ${list.join(', ')}.`
}

function strings(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String) : []
}

function minutes(milliseconds: number): string {
  return (milliseconds / 60_000).toFixed(2)
}
