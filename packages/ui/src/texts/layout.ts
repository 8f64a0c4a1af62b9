import { catalogue } from './catalogue.ts'
export const layoutTexts = catalogue('layout', {
  skip: 'Skip to content',
  logout: 'Logout',
  logoutFailed: 'You’re still logged in. Check your connection.',
  loading: 'Loading',
  loadingSession: 'Loading authentication...',
  unreachable: 'Can’t reach the login service. Retrying…',
  tooManyAttempts: 'Too many attempts.',
  again: 'Try again',
  justNow: 'just now',
  cancel: 'Cancel',
  menu: 'Account menu',
  menuOf: (email: string) => `Account menu, ${email}`,
  signedInAs: 'Logged in as',
  account: 'Account',
  security: 'Security',
  signOut: ['Logout', 'Logging out…'],
})
