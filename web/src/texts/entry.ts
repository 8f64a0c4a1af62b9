/** The words of the sign-in and of the registration; labels and links are those of the specification. */
export const signInTexts = {
  title: 'Sign in',
  working: 'Signing in…',
  isNew: 'New here?',
  signUp: 'Sign up',
  forgot: 'Forgot password?',
  onward: 'Sign in to continue.',
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
