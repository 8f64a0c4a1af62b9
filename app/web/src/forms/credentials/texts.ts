export const entryTexts = {
  or: 'Or continue with',
  by: (verb: string, provider: string) => `${verb} with ${provider}`,
  wait: 'One moment…',
  lastUsed: 'Last used',
  unavailable: (provider: string) => `Sign in with ${provider} is not available yet.`,
} as const
