/** The words of the ends of a verification; the first are those of the specification. */
export const emailVerifiedTexts = {
  title: 'Email Verified!',
  text: 'Your email address is confirmed. You can now log in.',
  login: 'Go to Login',
  changed: 'Email changed',
  settings: 'Back to settings',
  restored: 'Email restored',
  newPassword: 'Choose a new password',
} as const

/** What a link of an email is about to do. */
export const confirmLinkTexts = {
  verify: { title: 'Verify your email', button: 'Continue' },
  restore: { title: 'Restore your email', button: 'Restore my email' },
} as const
