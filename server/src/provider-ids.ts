/** Whom people may sign in with. */
export const providerIds = ['github', 'google'] as const
export type ProviderId = (typeof providerIds)[number]
