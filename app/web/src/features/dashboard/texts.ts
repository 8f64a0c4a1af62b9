export const dashboardTexts = {
  title: 'Dashboard',
  heading: 'Dashboard Page',
  lead: 'Welcome to your dashboard! This is a protected route.',
} as const

export const passkeyOfferTexts = {
  title: 'Passkeys',
  heading: 'Log in faster next time',
  text: 'Add a passkey: your fingerprint, face or screen lock is enough.',
  add: 'Add a passkey',
  dismiss: 'Not now',
} as const
