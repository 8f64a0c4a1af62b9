export type Provider = 'github' | 'google'

export const providerNames: Record<Provider, string> = { github: 'GitHub', google: 'Google' }
