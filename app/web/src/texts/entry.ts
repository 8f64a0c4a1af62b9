/** The words of the sign-in and of the registration; labels and links are those of the specification. */
export const signInTexts = {
  title: 'Sign in',
  working: 'Signing in…',
  failed: 'Login failed. Please check your credentials.',
  isNew: 'New here?',
  signUp: 'Sign up',
  forgot: 'Forgot password?',
  onward: 'Sign in to continue.',
  deletesOn: (day: string) =>
    `Your account will be deleted on ${day}. Changed your mind? Sign in before that and choose to keep it.`,
  // `session.extended_lifespan` in the server's configuration.
  stay: 'Stay signed in for 30 days',
} as const

export const signInCodeTexts = {
  send: 'Email me a code',
  sending: 'Sending…',
  title: 'Check your email',
  before: 'If there is an account for',
  unknown: 'this address',
  after: ', we’ve sent it a six-digit code.',
  button: 'Sign in',
  working: 'Signing in…',
  back: 'Change it or sign in another way',
} as const

export const signUpTexts = {
  title: 'Create account',
  working: 'Creating account…',
  failed: 'Registration failed',
  verb: 'Sign up',
  isKnown: 'Already have one?',
  signIn: 'Sign in',
} as const

/** What both share. */
export const entryTexts = {
  or: 'Or continue with',
  by: (verb: string, provider: string) => `${verb} with ${provider}`,
  wait: 'One moment…',
  lastUsed: 'Last used',
  unavailable: (provider: string) => `Sign in with ${provider} is not available yet.`,
} as const

/** For a user who has registered but not verified yet. */
export const newCodeTexts = {
  question: 'Just registered?',
  open: 'Get a new code',
  failed: 'That didn’t work. Please try again.',
} as const

export const passkeyButtonTexts = {
  signIn: 'Sign in with a passkey',
  confirm: 'Use a passkey',
  waiting: 'Waiting for your passkey…',
  cancelled: 'No passkey was used. Try again, or sign in another way.',
  failed: 'Your device couldn’t use a passkey. Try another way.',
} as const

export const passkeySignUpTexts = {
  signUp: ['Sign up with a passkey', 'Waiting for your device…'],
  cancelled: 'No passkey was created. Try again, or sign up another way.',
  failed: 'Your device couldn’t create a passkey. Try another way.',
} as const
