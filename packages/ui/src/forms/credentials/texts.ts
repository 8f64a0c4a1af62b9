import { catalogue } from '../../texts/catalogue.ts'
export const entryTexts = catalogue('entry', {
  or: 'Or continue with',
  by: (verb: string, provider: string) => `${verb} with ${provider}`,
  cancelled: 'You cancelled the login.',
  cancelledSignUp: 'You cancelled signing up. Try again, or choose another way.',
  wait: 'One moment…',
  lastUsed: 'Last used',
  unavailable: (provider: string) => `Sign in with ${provider} is not available yet.`,
})
