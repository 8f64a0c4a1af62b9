/** The words of the sign-in and of the registration; labels and links are those of the specification. */
export const signInTexts = {
  title: 'Sign in',
  working: 'Signing in…',
  isNew: 'New here?',
  signUp: 'Sign up',
  forgot: 'Forgot password?',
  onward: 'Sign in to continue.',
  // As long as the server's configuration has it.
  stay: 'Stay signed in for 30 days',
} as const

export const signInCodeTexts = {
  send: 'Email me a code',
  sending: 'Sending…',
  title: 'Check your email',
  before: 'If there is an account for',
  unknown: 'this address',
  after: ", we've sent it a six-digit code.",
  button: 'Sign in',
  working: 'Signing in…',
  back: 'Change it or sign in another way',
} as const

export const signUpTexts = {
  title: 'Create account',
  working: 'Creating account…',
  verb: 'Sign up',
  isKnown: 'Already have one?',
  signIn: 'Sign in',
} as const

export const entryTexts = {
  email: 'Email',
  password: 'Password',
} as const
