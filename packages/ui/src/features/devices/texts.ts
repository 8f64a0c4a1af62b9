import { catalogue } from '../../texts/catalogue.ts'
export const devicesTexts = catalogue('devices', {
  list: 'Logged-in devices',
  unlisted: 'Your devices could not be listed.',
  count: (others: number) =>
    others === 1 ? 'One other device is logged in.' : `${others} other devices are logged in.`,
  alike: (count: number) => `Show ${count} more like this`,
  current: 'This device',
  activeNow: 'Active now',
  active: 'Active',
  signedIn: 'Logged in',
  methods: {
    password: 'with a password',
    passkey: 'with a passkey',
    code: 'with a code',
    code_recovery: 'by recovery',
    link_recovery: 'by recovery',
    oidc: 'with a connected account',
  },
  provider: (name: string) => `with ${name}`,
  signOut: ['Log out', 'Logging out…'],
  ask: (name: string) => `Log out ${name}?`,
  consequence: 'That device has to log in again. Don’t recognize it? Change your password too.',
  signedOut: 'That device is logged out.',
  others: ['Log out everywhere else', 'Logging out…'],
  askOthers: 'Log out everywhere else?',
  othersConsequence: (count: number) =>
    count === 1 ? 'One device has to log in again.' : `${count} devices have to log in again.`,
  othersSignedOut: 'All other devices are logged out.',
  failed: 'That didn’t work: the device is still logged in. Please try again.',
})
