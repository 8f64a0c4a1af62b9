import type { UiText } from '../wire/text.ts'
import { error, info, quoted, success, withUnix } from './text.ts'

const TOO_OLD = 'This page has expired. Please try again.'

/** Ory Kratos' messages by id, in our own words. Clients rely on `id` and `context`. Times are RFC 3339. */
export const messages = {
  // 1010000 login
  login: info(1010001, 'Log in'),
  loginWith: (provider: string, provider_id: string) =>
    info(1010002, `Sign in with ${provider}`, { provider, provider_id }),
  loginRefresh: info(1010003, 'Please confirm it is you to continue.'),
  /** Pages say whose account it is. */
  loginAal2: (identifier: string | undefined) =>
    info(
      1010004,
      'One more step: please confirm with your second factor.',
      identifier ? { identifier } : undefined,
    ),
  totpLabel: info(1010006, 'Code from your authenticator app'),
  backupCodeLabel: info(1010007, 'Backup code'),
  loginSecurityKey: info(1010008, 'Use a security key'),
  loginTotp: info(1010009, 'Use your authenticator app'),
  loginBackupCode: info(1010010, 'Use a backup code'),
  securityKeyPrepare: info(1010012, 'Please have your security key or this device ready.'),
  loginContinue: info(1010013, 'Continue'),
  loginCodeSent: info(
    1010014,
    'If there is an account for this address, a login code is on its way. Please enter it here.',
  ),
  loginSendCode: info(1010015, 'Send a login code'),
  loginToLink: (link: LinkContext) =>
    info(
      1010016,
      `${link.duplicate_identifier} already has an account. Please log in to it to connect ${link.provider}.`,
      // Kratos compatibility: also its earlier names.
      { ...link, duplicateIdentifier: link.duplicate_identifier, newLoginUrl: link.new_login_url },
    ),
  loginAndLink: info(1010017, 'Log in and connect'),
  loginAndLinkWith: (provider: string) => info(1010018, `Sign in with ${provider} and connect`, { provider }),
  loginPasskey: info(1010021, 'Sign in with a passkey'),
  loginPassword: info(1010022, 'Sign in with password'),
  loginSendCodeTo: (address: string, channel: string) =>
    info(1010023, `Send a code to ${address}`, { address, channel }),

  // 1040000 registration
  registrationSubmit: info(1040001, 'Create account'),
  registrationWith: (provider: string, provider_id: string) =>
    info(1040002, `Create account with ${provider}`, { provider, provider_id }),
  registrationContinue: info(1040003, 'Continue'),
  registrationSecurityKey: info(1040004, 'Create account with a security key'),
  registrationCodeSent: info(1040005, 'A code is on its way to your address. Please enter it here.'),
  registrationSendCode: info(1040006, 'Send a code to create the account'),
  registrationPasskey: info(1040007, 'Create account with a passkey'),
  registrationBack: info(1040008, 'Back'),
  registrationChooseCredential: info(1040009, 'Please choose how you want to log in from now on.'),

  // 1050000 settings
  settingsSaved: success(1050001, 'Your changes are saved.'),
  linkProvider: (provider: string) => info(1050002, `Connect ${provider}`, { provider }),
  unlinkProvider: (provider: string) => info(1050003, `Disconnect ${provider}`, { provider }),
  totpUnlink: info(1050004, 'Remove the authenticator app'),
  totpQrCode: info(1050005, 'QR code to scan with your authenticator app'),
  totpSecret: (secret: string) => info(1050006, secret, { secret }),
  backupCodesReveal: info(1050007, 'Show backup codes'),
  backupCodesRegenerate: info(1050008, 'Create new backup codes'),
  backupCode: (secret: string) => info(1050009, secret, { secret }),
  backupCodesLabel: info(1050010, 'Keep these backup codes in a safe place. Each one works once.'),
  backupCodesConfirm: info(1050011, 'I have stored these codes'),
  securityKeyAdd: info(1050012, 'Add a security key'),
  securityKeyName: info(1050013, 'Name of the security key'),
  backupCodeUsed: (used_at: string) => info(1050014, 'Used', withUnix({ used_at })),
  backupCodesList: (secrets: readonly UiText[]) =>
    info(1050015, secrets.map((secret) => secret.text).join(', '), { secrets }),
  backupCodesDisable: info(1050016, 'Disable backup codes'),
  totpSecretLabel: info(1050017, 'Or type this secret into your authenticator app'),
  securityKeyRemove: (display_name: string, added_at: string) =>
    info(1050018, `Remove the security key “${display_name}”`, { display_name, ...withUnix({ added_at }) }),
  passkeyAdd: info(1050019, 'Add a passkey'),
  passkeyRemove: (display_name: string, added_at: string) =>
    info(1050020, `Remove the passkey “${display_name}”`, { display_name, ...withUnix({ added_at }) }),

  // 1060000 recovery
  recovered: (privileged_session_expires_at: string) =>
    success(1060001, 'You are logged in. Please choose a new password now, or add another way to log in.', {
      privilegedSessionExpiresAt: privileged_session_expires_at,
      ...withUnix({ privileged_session_expires_at }),
    }),
  recoveryLinkSent: info(1060002, 'If there is an account for this address, a link is on its way to it.'),
  recoveryCodeSent: info(
    1060003,
    'If there is an account for this address, a code is on its way. Please enter it here.',
  ),
  recoveryCodeSentTo: (masked_address: string) =>
    info(1060004, `If ${masked_address} belongs to your account, a code is on its way to it.`, {
      masked_address,
    }),
  recoveryAskFullAddress: info(1060005, 'Please enter the full address to confirm that it is yours.'),
  recoveryChooseAddress: info(1060006, 'Where should the code go?'),
  recoveryBack: info(1060007, 'Back'),

  // 1070000 labels
  label: (text: string) => info(1070000, text),
  inputPassword: info(1070001, 'Password'),
  traitLabel: (title: string, name: string) => info(1070002, title, { title, name }),
  saveLabel: info(1070003, 'Save'),
  identifierLabel: info(1070004, 'Your login name'),
  totpCodeLabel: info(1070006, 'Code from your authenticator app'),
  verifyEmailLabel: info(1070007, 'Email'),
  resendCode: info(1070008, 'Send a new code'),
  continueLabel: info(1070009, 'Continue'),
  recoveryCodeLabel: info(1070010, 'Recovery code'),
  verificationCodeLabel: info(1070011, 'Verification code'),
  registrationCodeLabel: info(1070012, 'Code'),
  loginCodeLabel: info(1070013, 'Login code'),
  recoveryAddressLabel: info(1070016, 'Recovery address'),
  phoneLabel: info(1070017, 'Phone number'),

  // 1080000 verification
  verificationLinkSent: info(1080001, 'Please check your email and open the link in it.'),
  verified: success(1080002, 'Your email address is confirmed.'),
  verifiedPhone: success(1080002, 'Your phone number is confirmed.'),
  verificationSent: info(1080003, 'Please check your email and enter the code here.'),
  verificationSentBySms: info(1080003, 'Please check your text messages and enter the code here.'),

  // 4000000 validation
  generic: (reason: string) => error(4000001, reason, { reason }),
  required: (property: string) => error(4000002, 'Please fill in this field.', { property }),
  tooShort: (min_length: number, actual_length: number) =>
    error(4000003, `Please use at least ${count(min_length, 'character')}.`, { min_length, actual_length }),
  patternMismatch: (pattern: string) =>
    error(4000004, 'This value has the wrong format. Please check it.', { pattern }),
  passwordRefused: (reason: string) => error(4000005, reason, { reason }),
  invalidCredentials: error(4000006, 'Incorrect email or password, or this address isn’t verified yet.'),
  duplicateIdentifier: error(4000007, 'You may have an account with these details. Please log in instead.'),
  /** For a signed-in user who connects a provider account. */
  duplicateLink: error(
    4000007,
    'This account is already linked to another user. Please connect a different one, or log in with it.',
  ),
  credentialWrong: error(4000008, 'That did not work. Please try again.'),
  /** Ory Kratos uses this id for an authenticator app's code. */
  totpWrong: error(4000008, 'That code is incorrect. Check the time on your device and try the newest code.'),
  noIdentifier: error(4000009, 'Please enter something to log in with, such as an email address.'),
  addressNotVerified: error(4000010, 'Please confirm your address first. A new code is on its way.'),
  noTotp: error(4000011, 'Your account has no authenticator app yet.'),
  backupCodeSpent: error(4000012, 'This backup code was already used. Please use another one.'),
  noSecurityKey: error(4000013, 'Your account has no security key yet.'),
  noBackupCodes: error(4000014, 'Your account has no backup codes yet.'),
  securityKeyUnknown: error(4000015, 'Unknown key. Please try another way to log in.'),
  backupCodeWrong: error(4000016, 'This backup code is incorrect. Please check it.'),
  tooLong: (max_length: number, actual_length: number) =>
    error(4000017, `Please use at most ${count(max_length, 'character')}.`, { max_length, actual_length }),
  tooLow: (minimum: number, actual: number) =>
    error(4000018, `Please enter ${minimum} or more.`, { minimum, actual }),
  notAbove: (minimum: number, actual: number) =>
    error(4000019, `Please enter more than ${minimum}.`, { minimum, actual }),
  tooHigh: (maximum: number, actual: number) =>
    error(4000020, `Please enter ${maximum} or less.`, { maximum, actual }),
  notBelow: (maximum: number, actual: number) =>
    error(4000021, `Please enter less than ${maximum}.`, { maximum, actual }),
  notMultiple: (base: number, actual: number) =>
    error(4000022, `Please enter a multiple of ${base}.`, { base, actual }),
  tooManyItems: (max_items: number, actual_items: number) =>
    error(4000023, `Please give at most ${count(max_items, 'entry', 'entries')}.`, {
      max_items,
      actual_items,
    }),
  tooFewItems: (min_items: number, actual_items: number) =>
    error(4000024, `Please give at least ${count(min_items, 'entry', 'entries')}.`, {
      min_items,
      actual_items,
    }),
  equalItems: (index_a: number, index_b: number) =>
    error(4000025, 'One of these is duplicated. Please remove it.', { index_a, index_b }),
  wrongType: (allowed_types: readonly string[], actual_type: string) =>
    error(4000026, wrongTypeText(allowed_types), { allowed_types, actual_type }),
  duplicateIdentifierHints: (hints: LoginHints) => error(4000028, hintsText(hints), { ...hints }),
  notConstant: (expected: string) =>
    error(4000029, expected === 'true' ? 'Please tick this box.' : `This must be ${expected}.`, { expected }),
  notConstantValue: error(4000030, 'This is not the expected value.'),
  passwordTooSimilar: error(4000031, 'This password is too similar to your email. Please choose another.'),
  passwordTooShort: (min_length: number, actual_length: number) =>
    error(4000032, `Please choose a password of at least ${count(min_length, 'character')}.`, {
      min_length,
      actual_length,
    }),
  passwordTooLong: (max_length: number, actual_length: number) =>
    error(4000033, `Please choose a password of at most ${count(max_length, 'character')}.`, {
      max_length,
      actual_length,
    }),
  passwordBreached: (breaches: number) =>
    error(4000034, 'This password appeared in a data breach. Please choose another.', { breaches }),
  noCodeLogin: error(4000035, 'No account with this address can log in by code. Please check it.'),
  traitsChanged: error(4000036, 'Your details have changed since the code was sent. Please start again.'),
  accountUnknown: error(4000037, 'We found no such account. Please check it or create one.'),
  passwordUnchanged: error(4000039, 'This is already your password. Please choose a new one.'),
  invalidEmail: (value: string) =>
    error(4000040, 'Please enter a valid email address.', { value: quoted(value) }),
  invalidPhone: (value: string) =>
    error(4000041, 'Please enter a phone number with its country code, such as +44.', {
      value: quoted(value),
    }),

  // 4010000 login, and submissions that no method takes
  loginFlowExpired: (expired_at: string) => error(4010001, TOO_OLD, withUnix({ expired_at })),
  noLoginMethod: error(4010002, 'We could not sign you in this way. Please choose another.'),
  noRegistrationMethod: error(4010003, 'We could not create an account this way. Please choose another.'),
  noSettingsMethod: error(4010004, 'We could not tell what to change. Please try again.'),
  noRecoveryMethod: error(4010005, 'We could not recover your account this way. Please choose another.'),
  noVerificationMethod: error(4010006, 'We could not confirm your address this way. Please try again.'),
  loginCodeWrong: error(4010008, 'That code is incorrect or already used. Please check it.'),
  linkMismatch: error(4010009, 'This login belongs to another account. Please use the one you started with.'),
  addressUnknown: error(4010010, 'This address does not belong to your account. Please check it.'),
  accountDisabled: error(4010011, 'This account is disabled. Please contact support.'),

  // 4040000 registration
  registrationFlowExpired: (expired_at: string) => error(4040001, TOO_OLD, withUnix({ expired_at })),
  registrationCodeWrong: error(4040003, 'That code is incorrect or already used. Please check it.'),

  // 4050000 settings
  settingsFlowExpired: (expired_at: string) => error(4050001, TOO_OLD, withUnix({ expired_at })),
  oneAddressAtOnce: error(4050002, 'Please change one address at a time.'),

  // 4060000 recovery
  recoveryAlreadyDone: error(4060001, 'This recovery is already complete. Please start again.'),
  recoveryLinkWrong: error(4060004, 'This link is invalid or already used. Please request a new one.'),
  recoveryFlowExpired: (expired_at: string) => error(4060005, TOO_OLD, withUnix({ expired_at })),
  recoveryCodeWrong: error(4060006, 'That code is incorrect or already used. Please check it.'),

  // 4070000 verification
  verificationLinkWrong: error(4070001, 'This link is invalid or already used. Please request a new one.'),
  verificationAlreadyDone: error(4070002, 'This address is already confirmed.'),
  verificationFlowExpired: (expired_at: string) => error(4070005, TOO_OLD, withUnix({ expired_at })),
  verificationCodeWrong: error(4070006, 'That code is incorrect or already used. Please check it.'),

  // 4290000 limits: our own range
  tooManyAttempts: (retry_after: number, retry_at: string) =>
    error(4290001, `Too many attempts. Try again in ${durationText(retry_after)}.`, {
      retry_after,
      ...withUnix({ retry_at }),
    }),

  // 5000000 system
  system: (reason: string) => error(5000001, reason, { reason }),
} as const

/** Signing in to the account with the identifier links the new credential. */
export interface LinkContext {
  readonly duplicate_identifier: string
  readonly provider: string
  readonly new_login_url: string
  readonly available_credential_types: readonly string[]
  readonly available_providers: readonly string[]
}

/** Sign-in methods of the account with the identifier, if `login_hints` is enabled. */
export interface LoginHints {
  readonly available_credential_types: readonly string[]
  readonly available_oidc_providers: readonly string[]
  readonly credential_identifier_hint: string
}

function wrongTypeText(allowed: readonly string[]): string {
  if (allowed.includes('number')) return 'Please enter a number.'
  if (allowed.includes('integer')) return 'Please enter a whole number.'
  return 'This value has the wrong type. Please check it.'
}

function hintsText(hints: LoginHints): string {
  const whose = hints.credential_identifier_hint
  return whose === ''
    ? messages.duplicateIdentifier.text
    : `${whose} already has an account. Please log in instead.`
}

function durationText(seconds: number): string {
  return seconds < 60 ? count(seconds, 'second') : count(Math.ceil(seconds / 60), 'minute')
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}
