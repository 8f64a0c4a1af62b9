export const dashboardTexts = {
  title: 'Dashboard',
  heading: 'Dashboard Page',
  lead: 'Welcome to your dashboard! This is a protected route.',
} as const

export const passkeyOfferTexts = {
  heading: 'Log in faster next time',
  text: 'Use your fingerprint, face or screen lock.',
  add: 'Add a passkey',
  dismiss: 'Not now',
} as const
