/** The words of the page that asks for the address which a provider did not share. */
export const missingEmailTexts = {
  title: 'One thing is missing',
  lead: (provider: string) =>
    `${provider} did not share your email address. Enter it; you’ll then return to ${provider}.`,
  submit: (provider: string) => `Continue with ${provider}`,
  changedMind: 'Changed your mind?',
  back: 'Use a password instead',
} as const
