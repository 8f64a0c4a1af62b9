export const passkeyOfferTexts = {
  heading: 'Log in faster next time',
  text: 'Use your fingerprint, face or screen lock.',
  add: 'Add a passkey',
  dismiss: 'Not now',
} as const
