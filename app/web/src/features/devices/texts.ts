/** The words of the list of signed-in devices. */
export const devicesTexts = {
  list: 'Signed-in devices',
  unlisted: 'Your devices could not be listed.',
  current: 'This device',
  activeNow: 'Active now',
  active: 'Active',
  signedIn: 'Signed in',
  methods: {
    password: 'with a password',
    passkey: 'with a passkey',
    code: 'with a code',
    code_recovery: 'by recovery',
    link_recovery: 'by recovery',
    oidc: 'with a connected account',
  },
  provider: (name: string) => `with ${name}`,
  signOut: ['Sign out', 'Signing out…'],
  ask: (name: string) => `Sign out ${name}?`,
  consequence: 'That device has to sign in again. Don’t recognize it? Change your password too.',
  signedOut: (name: string) => `${name} is signed out.`,
  others: ['Sign out everywhere else', 'Signing out…'],
  askOthers: 'Sign out everywhere else?',
  othersConsequence: (count: number) =>
    count === 1 ? 'One device has to sign in again.' : `${count} devices have to sign in again.`,
  othersSignedOut: 'All other devices are signed out.',
  failed: 'That didn’t work: the device is still signed in. Please try again.',
} as const
