/** One attempt to sign in; the page's URL names it. */
export interface Attempt {
  readonly provider: 'github' | 'google'
  readonly id: string
}

export const names = { github: 'GitHub', google: 'Google' } as const

export function readAttempt(search: string): Attempt | undefined {
  const query = new URLSearchParams(search)
  const [provider, id] = [query.get('provider'), query.get('attempt')]
  if (!id || (provider !== 'github' && provider !== 'google')) return undefined
  return { provider, id }
}
