import { catalogue } from '../../texts/catalogue.ts'
export const securityTexts = catalogue('security', {
  carriedOut: 'Your changes are saved.',
  summary: {
    state: (ways: number, hasSecondStep: boolean) =>
      `${ways === 1 ? 'One way' : `${ways} ways`} to log in, ${hasSecondStep ? 'with' : 'without'} a second step.`,
    next: {
      passkey: 'Add a passkey: quicker, and safer.',
      secondWay: 'Add another, in case you lose it.',
      app: 'Set up an authenticator app next.',
      codes: 'Make new backup codes next.',
    },
    done: 'You’re well protected.',
  },
  passkeys: {
    title: 'Passkeys',
    add: ['Add a passkey', 'Waiting for your device…'],
    added: 'Your passkey is added. Next time, log in with it.',
    why: 'Log in with your fingerprint, face or screen lock.',
    unsupported:
      'This browser doesn’t support passkeys. Use a password with an authenticator app, or add a passkey in another browser.',
    unnamed: 'Passkey',
  },
  password: {
    title: 'Password',
    none: 'You don’t have a password: you log in another way.',
    changed: 'Changed',
    original: 'Set when you signed up',
    set: ['Set', 'a password'],
    change: ['Change', 'password'],
    before: 'Your other devices will be logged out. This one stays logged in.',
    save: ['Save password', 'Saving…'],
    saved: 'Your new password is set. Your other devices have been logged out.',
  },
  authenticator: {
    title: 'Authenticator app',
    on: 'On',
    off: 'Off',
    since: 'Set up',
    isOff: 'A second step: a code from an app such as 1Password or Google Authenticator.',
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
    isOn: 'Each one works once, in place of your authenticator app.',
    isOff: 'Twelve codes that each work once, in case you lose your phone.',
    needsApp: 'For when you lose your phone. Set up an authenticator app first.',
    isAlone:
      'Without an authenticator app, each login uses up one of these codes. Once they are gone you can’t log in. Set up an app, or turn the codes off.',
    make: ['Make codes', 'One moment…'],
    makeNew: 'Make new codes',
    turnOff: 'Turn off',
    all: 'backup codes',
    done: {
      regenerate: undefined,
      confirm: 'Your backup codes are ready.',
      disable: 'Backup codes are turned off.',
    },
  },
})
