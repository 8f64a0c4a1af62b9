import { catalogue } from '../../texts/catalogue.ts'
export const openedTexts = catalogue('opened', {
  passkey: {
    addedAt: 'Added',
    usedAt: 'Used',
    isLast: 'Your only login method. Set a password or add another passkey before removing it.',
    rename: 'Rename',
    name: 'Name of this passkey',
    noName: 'Enter a name.',
    longName: 'At most 64 characters.',
    save: ['Save name', 'Saving…'],
    renamed: (name: string) => `Renamed to “${name}”.`,
    remove: 'Remove',
    askRemove: (name: string) => `Remove “${name}”?`,
    afterRemove: (keptBy: string | undefined) =>
      `You can no longer log in with it. Your device may keep offering it: delete it there too${keptBy ? `, in ${keptBy}` : ''}.`,
    confirmRemove: ['Remove passkey', 'Removing…'],
    removed: (name: string) => `“${name}” is removed.`,
  },
  authenticator: {
    steps: [
      'Scan the QR code with your authenticator app, or type the key into it.',
      'Enter the six digits that the app shows.',
    ],
    picture: 'QR code with the key below',
    key: 'Key',
    copyKey: 'Copy key',
    turnOn: ['Turn on', 'Checking…'],
    askRemove: 'Remove your authenticator app?',
    afterRemove: 'Logging in will no longer ask for its codes, so your account is easier to break into.',
    codesToo: 'Your backup codes are removed too.',
    confirmRemove: ['Remove app', 'Removing…'],
  },
  backupCodes: {
    title: 'Backup codes',
    notSaved: 'Not saved yet',
    saved: 'Saved',
    done: 'Done',
    save: ['I’ve saved these codes', 'Saving…'],
    keep: 'Keep these where you can find them without your phone. Each one works once. They are shown only now.',
    sheet: (account: string, app: string, day: string) => [`Backup codes for ${app}`, account, day] as const,
    eachOnce: 'Each one works once.',
    copy: 'Copy',
    download: 'Download',
    print: 'Print',
  },
  risks: {
    disable: {
      question: 'Turn backup codes off?',
      consequence: 'If you lose your phone, you can no longer log in.',
      button: ['Turn off', 'Turning off…'],
    },
    disableLast: {
      question: 'Turn backup codes off?',
      consequence: 'Logging in will no longer ask for a second step.',
      button: ['Turn off', 'Turning off…'],
    },
    regenerate: {
      question: 'Make new backup codes?',
      consequence: 'The codes that you have now stop working as soon as you save the new ones.',
      button: ['Make new codes', 'One moment…'],
    },
  },
})
