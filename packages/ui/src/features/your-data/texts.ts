import { catalogue } from '../../texts/catalogue.ts'
export const yourDataTexts = catalogue('yourData', {
  download: {
    title: 'Download your data',
    text: 'Everything that is stored about you in one file, without secrets.',
    button: ['Download JSON', 'Preparing…'],
    done: 'Your data is downloaded.',
    failed: 'Your data could not be downloaded.',
  },
  deletion: {
    title: 'Delete your account',
    text: (days: number) => `Deletes everything in it. You have ${days} days to change your mind.`,
    open: 'Delete account',
    ask: 'Delete your account?',
    consequences: (days: number) => [
      'You will be logged out everywhere.',
      `In ${days} days everything is deleted, for good. We email you now, and when it is done.`,
      `Changed your mind? Log in within ${days} days and choose Keep my account.`,
    ],
    button: ['Delete my account', 'One moment…'],
    failed: 'Your account could not be deleted.',
  },
})
