import { catalogue } from '../../texts/catalogue.ts'
/** The first three are fixed by the specification. */
export const emailVerifiedTexts = catalogue('emailVerified', {
  title: 'Email Verified!',
  text: 'Your email address is confirmed. You can now log in.',
  login: 'Go to Login',
  confirmed: 'Your email address is confirmed.',
  continue: 'Continue',
  changed: 'Email changed',
  settings: 'Back to your profile',
  restored: 'Email restored',
  newPassword: 'Choose a new password',
})

export const confirmLinkTexts = catalogue('confirmLink', {
  title: 'Restore your email',
  button: 'Restore my email',
})

export const verifyTexts = catalogue('verify', {
  title: 'Verify your email',
  // An address that has an account gets an email without a code.
  sent: 'We sent an email to',
  afterSent: '. Enter the six‑digit code from it.',
  unknown: 'you',
  ask: 'Enter your email and we’ll send a six‑digit code.',
  verify: 'Verify',
  verifying: 'Verifying…',
  failed: 'Verification failed',
  change: 'Use a different email',
  unverified: 'Please verify your email address before you log in. We’ve just sent you a new code.',
})
