/** The question whether an account that will be deleted stays. */
export const scheduledDeletionTexts = {
  title: 'Keep your account?',
  due: (day: string) => `It will be deleted on ${day}, with everything in it.`,
  keep: ['Keep my account', 'One moment…'],
  deleteAnyway: 'Delete anyway',
  later: 'Decide later',
  kept: 'Your account stays. We’ve sent you an email about it.',
  failed: 'That didn’t work. Please try again.',
} as const
