import { product } from '../../product.ts'
import { catalogue } from '../../texts/catalogue.ts'

export const finishTexts = catalogue('finish', {
  title: 'One thing is missing',
  lead: (provider: string) =>
    `${provider} did not share your email address. Enter it; you’ll then return to ${provider}.`,
  incomplete: {
    title: 'Almost done',
    lead: (provider: string) =>
      `${product().name} needs a few more details. Complete the form; you’ll then return to ${provider}.`,
  },
  refused: {
    title: 'Not registered yet',
    lead: (provider: string) => `The account could not be created with ${provider} yet.`,
  },
  submit: (provider: string) => `Continue with ${provider}`,
  changedMind: 'Changed your mind?',
  back: 'Use a password instead',
})

export const signUpTexts = catalogue('signUp', {
  working: 'Signing up…',
  failed: 'Registration failed',
  verb: 'Sign up',
})

export const passkeySignUpTexts = catalogue('passkeySignUp', {
  signUp: ['Sign up with a passkey', 'Waiting for your device…'],
  cancelled: 'No passkey was created. Try again, or sign up another way.',
  failed: 'Your device couldn’t create a passkey. Try another way.',
})
