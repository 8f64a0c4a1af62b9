export const finishTexts = {
  title: 'One thing is missing',
  lead: (provider: string) =>
    `${provider} did not share your email address. Enter it; you’ll then return to ${provider}.`,
  incomplete: {
    title: 'One thing is missing',
    lead: (provider: string) =>
      `${provider} did not share everything that we need. Complete the form; you’ll then return to ${provider}.`,
  },
  refused: {
    title: 'Not registered yet',
    lead: (provider: string) => `The account could not be created with ${provider} yet.`,
  },
  submit: (provider: string) => `Continue with ${provider}`,
  changedMind: 'Changed your mind?',
  back: 'Use a password instead',
} as const

export const signUpTexts = {
  working: 'Signing up…',
  failed: 'Registration failed',
  verb: 'Sign up',
} as const

export const passkeySignUpTexts = {
  signUp: ['Sign up with a passkey', 'Waiting for your device…'],
  cancelled: 'No passkey was created. Try again, or sign up another way.',
  failed: 'Your device couldn’t create a passkey. Try another way.',
} as const
