export const entryTexts = {
  or: 'Or continue with',
  by: (verb: string, provider: string) => `${verb} with ${provider}`,
  cancelled: 'You cancelled the login.',
  wait: 'One moment…',
  lastUsed: (address: string | undefined) => (address ? `Last used: ${address}` : 'Last used'),
  unavailable: (provider: string) => `Sign in with ${provider} is not available yet.`,
} as const
