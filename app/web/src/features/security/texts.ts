/** The words of the security page; `texts-opened.ts` has those of what opens in place. */
export const securityTexts = {
  carriedOut: 'Your changes are saved.',
  passkeys: {
    title: 'Passkeys',
    add: ['Add a passkey', 'Waiting for your device…'],
    added: 'Your passkey is added. Next time, log in with it.',
    heading: 'Log in with your fingerprint, face or screen lock',
    why: 'A passkey is quicker than a password, and can’t be guessed or stolen by a fake page.',
    unsupported: 'This browser doesn’t support passkeys.',
    unnamed: 'Passkey',
  },
  password: {
    title: 'Password',
    none: 'You don’t have a password: you log in another way.',
    set: 'Set a password',
    change: 'Change password',
    before: 'Your other devices will be logged out. This one stays logged in.',
    save: ['Save password', 'Saving…'],
    saved: 'Your new password is set. Your other devices have been logged out.',
  },
  authenticator: {
    title: 'Authenticator app',
    on: 'On',
    off: 'Off',
    isOn: 'Logging in asks for a code from your app after the first step.',
    isOff:
      'Add a second step to login: a six-digit code from an app such as 1Password, Google Authenticator or Aegis.',
    setUp: 'Set up',
    remove: 'Remove',
    app: 'the authenticator app',
    ready: 'Your authenticator app is set up.',
    removed: 'Your authenticator app is removed.',
    removedWithCodes: 'Your authenticator app and your backup codes are removed.',
  },
  backupCodes: {
    title: 'Backup codes',
    on: 'On',
    off: 'Off',
    left: (left: number) => `${left} left`,
    isOn: 'Each code works once in place of your authenticator app. We can’t show them again.',
    isOff: 'Twelve codes that each work once, in case you lose your phone.',
    needsApp:
      'Twelve codes that each work once, in case you lose your phone. Set up an authenticator app first: you get the codes with it.',
    isAlone:
      'Without an authenticator app, each login uses up one of these codes. Once they are gone you can’t log in. Set up an app, or turn the codes off.',
    make: ['Make codes', 'One moment…'],
    makeNew: 'Make new codes',
    turnOff: 'Turn off',
    all: 'backup codes',
    ready: 'Your backup codes are ready.',
    ended: 'Backup codes are turned off.',
  },
} as const
