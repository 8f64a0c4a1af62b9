import { catalogue } from '../../texts/catalogue.ts'
export const passkeyOfferTexts = catalogue('passkeyOffer', {
  heading: 'Log in faster next time',
  text: 'Use your fingerprint, face or screen lock.',
  add: 'Add a passkey',
  dismiss: 'Not now',
})
