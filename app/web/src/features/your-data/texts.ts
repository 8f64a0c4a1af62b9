export const yourDataTexts = {
  download: {
    title: 'Download your data',
    text: 'Your profile, your login methods, your devices and your activity, in one file. Passwords and other secrets are not in it.',
    button: ['Download JSON', 'Preparing…'],
    done: 'Your data is downloaded.',
    failed: 'Your data could not be downloaded.',
  },
  deletion: {
    title: 'Delete your account',
    text: 'Deletes your profile, login methods, connected accounts and activity. You have 14 days to change your mind: log in and choose to keep it.',
    open: 'Delete account',
    ask: 'Delete your account?',
    consequences: [
      'You will be logged out everywhere.',
      'In 14 days everything is deleted, for good. We email you now, and when it is done.',
      'To keep your account, log in before that and tell us so.',
    ],
    button: ['Delete my account', 'One moment…'],
    failed: 'Your account could not be deleted.',
  },
} as const
