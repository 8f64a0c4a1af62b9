import { useQuery, useQueryClient } from '@tanstack/react-query'
import { readSettings } from '../../api/env.ts'
import { type ApiAnswer, callApi, RequestFailed } from '../../api/request.ts'
import { accountTexts } from './texts.ts'

export type KnownCredentials = ApiAnswer<'/account/credentials'>

const queryKey = ['account', 'credentials']

/** Undefined with another identity service. Pages then show what the protocol has. */
export function useKnownCredentials() {
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
  return async (id: string, name: string): Promise<string | undefined> => {
    try {
      await callApi('PATCH', '/account/passkeys/:id', { param: { id }, json: { name } })
      await cache.invalidateQueries({ queryKey })
      return undefined
    } catch (error) {
      return error instanceof RequestFailed ? error.message : accountTexts.renamingFailed
    }
  }
}
