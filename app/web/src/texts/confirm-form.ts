/** The words of the page on which a known user proves who they are: before a change, or to connect a provider. */
export const confirmFormTexts = {
  changedMind: 'Changed your mind?',
  working: 'Confirming…',
  verb: 'Continue',
  unknownAddress: 'Your address',
  unknownProvider: 'the other one',
  confirming: {
    title: 'Confirm it’s you',
    before: 'Enter the password for',
    beforeProvider: 'Confirm that you are',
    after: () => '. We’ll then apply your change.',
    button: 'Continue',
    back: 'Back to the settings',
  },
  linking: {
    title: 'You already have an account',
    before: '',
    beforeProvider: '',
    after: (provider: string) => ` has an account here. Sign in once to connect ${provider}.`,
    button: 'Sign in and connect',
    back: 'Back to sign in',
  },
} as const
