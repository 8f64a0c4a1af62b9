import { type Provider, product } from '@ostiary/ui/internal'

export interface Attempt {
  readonly provider: Provider
  readonly id: string
}

export function readAttempt(search: string): Attempt | undefined {
  const query = new URLSearchParams(search)
  const id = query.get('attempt')
  const provider = product().demoProviders.find((one) => one.id === query.get('provider'))
  return id && provider ? { provider, id } : undefined
}
