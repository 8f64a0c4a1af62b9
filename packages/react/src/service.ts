import type { Session } from '@ory/client-fetch'
import { createContext, useContext } from 'react'
import type { MessageTexts } from './flow/reword.ts'

/** The identity service of an app: its own, Ory Kratos or Ory Network. Keep one object for the life of the page. */
export interface IdentityService {
  /** Base URL of the public API, such as `/.ory` or `https://PROJECT.projects.oryapis.com`. */
  readonly url: string
  /** The template of a token that goes into the cookie `user_jwt` (`tokenize_as`). By default no cookie is set. */
  readonly tokenizeAs?: string
  /** Shares `user_jwt` with the hosts below this domain. */
  readonly cookieDomain?: string | undefined
  /** Other words for messages and labels of the protocol, by id. */
  readonly messages?: MessageTexts
  /** False if this visitor cannot have a session, which saves the first request. */
  mayHaveSession?(): boolean
  /** True for a session by a recovery whose user still has to set a credential. Asked about no other session. */
  needsCredential?(session: Session): Promise<boolean>
}

export const ServiceContext = createContext<IdentityService | undefined>(undefined)

export function useService(): IdentityService {
  const service = useContext(ServiceContext)
  if (!service) throw new Error('The hooks of a flow must be used within an AuthProvider')
  return service
}

/** Where the service itself begins a login. */
export function loginUrl({ url }: IdentityService, query: Readonly<Record<string, string>>): string {
  return `${url}/self-service/login/browser?${new URLSearchParams(query)}`
}
