import { useQuery, useQueryClient } from '@tanstack/react-query'
import { readSettings } from '../../api/env.ts'
import { getJson, RequestFailed, sendJson } from '../../api/request.ts'
import { accountTexts } from './texts.ts'

export interface KnownCredentials {
  readonly password: boolean
  readonly passkeys: readonly {
    readonly id: string
    readonly name?: string
    readonly kept_by?: string
    readonly created_at: string
    readonly last_used_at?: string
  }[]
  readonly backup_codes?: { readonly left: number; readonly total: number }
  readonly connections: readonly {
    readonly provider: string
    readonly account?: string
    readonly connected_at?: string
  }[]
}

const queryKey = ['account', 'credentials']

/** Undefined with another identity service. Pages then show what the protocol has. */
export function useKnownCredentials() {
  const cache = useQueryClient()
  const { data } = useQuery({
    queryKey,
    queryFn: async () => (await getJson('/api/v1/account/credentials')).json as KnownCredentials,
    enabled: readSettings().account_api,
  })
  return { known: data, refresh: () => void cache.invalidateQueries({ queryKey }) }
}

/** Renames a passkey. Resolves to the error, if any. */
export function useRenamePasskey() {
  const cache = useQueryClient()
  return async (id: string, name: string): Promise<string | undefined> => {
    try {
      await sendJson('PATCH', `/api/v1/account/passkeys/${id}`, { name })
      await cache.invalidateQueries({ queryKey })
      return undefined
    } catch (error) {
      return error instanceof RequestFailed ? error.message : accountTexts.renamingFailed
    }
  }
}
