import { useQuery, useQueryClient } from '@tanstack/react-query'
import { readSettings } from '../../api/env.ts'
import { type ApiAnswer, callApi } from '../../api/request.ts'

export type CredentialDetails = ApiAnswer<'/account/credentials'>

const queryKey = ['account', 'credentials']

/** Undefined with another identity service. Pages then show what the protocol has. */
export function useCredentialDetails() {
  const cache = useQueryClient()
  const { data } = useQuery({
    queryKey,
    queryFn: async () => (await callApi('GET', '/account/credentials')).json,
    enabled: readSettings().account_api,
  })
  return { known: data, refresh: () => void cache.invalidateQueries({ queryKey }) }
}

export function useRenamePasskey() {
  const cache = useQueryClient()
  return async (id: string, json: { name: string }): Promise<void> => {
    await callApi('PATCH', '/account/passkeys/:id', { param: { id }, json })
    await cache.invalidateQueries({ queryKey })
  }
}
