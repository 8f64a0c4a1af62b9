/** The providers for sign-in. */
export const providerIds = ['github', 'google'] as const
export type ProviderId = (typeof providerIds)[number]
