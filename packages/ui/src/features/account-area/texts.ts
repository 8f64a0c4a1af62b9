import { catalogue } from '../../texts/catalogue.ts'
export const accountAreaTexts = catalogue('accountArea', {
  navigation: 'Account',
  pages: {
    profile: { name: 'Profile', lead: 'Your details, and how the app looks.' },
    security: { name: 'Security', lead: 'How you log in, and what keeps others out.' },
    connections: { name: 'Connected accounts', lead: 'Accounts on other sites that you can log in with.' },
    devices: {
      name: 'Devices',
      lead: 'Where you’re logged in. Log out any device that you don’t use or recognize.',
    },
    activity: { name: 'Activity', lead: 'What happened to your account in the last 90 days.' },
    data: { name: 'Your data', lead: 'Take it with you, or have it deleted.' },
  },
  welcomeBack: {
    password: 'Welcome back. Your new password is set, and you are logged in.',
    passkey: 'Welcome back. Your passkey is added, and you are logged in.',
  },
})

export const scheduledDeletionTexts = catalogue('scheduledDeletion', {
  title: 'Keep your account?',
  due: (day: string) => `It will be deleted on ${day}, with everything in it.`,
  keep: ['Keep my account', 'One moment…'],
  deleteAnyway: 'Delete it as planned',
  later: 'Decide later',
  kept: 'Your account stays. We’ve sent you an email about it.',
  failed: 'That didn’t work. Please try again.',
})
