/** The words of the second step of signing in. */
export const secondFactorTexts = {
  title: 'Two-step sign-in',
  none: 'This account has no second factor that this page can ask for.',
  otherAccount: 'Sign in with another account',
  submit: ['Continue', 'Checking…'],
  failed: 'That didn’t work. Please try again.',
  totp: {
    label: 'Code',
    lead: 'Enter the six-digit code from your authenticator app.',
    instead: 'Use your authenticator app',
  },
  lookup_secret: {
    label: 'Backup code',
    lead: 'Enter one of the backup codes that you saved. Each one works once.',
    instead: 'Lost your phone? Use a backup code',
    empty: 'Enter one of your backup codes.',
  },
} as const
