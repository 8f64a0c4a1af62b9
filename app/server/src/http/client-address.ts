import type { IncomingMessage } from 'node:http'
import { clientAddress, isProxy } from '@my-app/identity/serving'
import { trustedProxies } from '@my-app/identity-server/process'

/** What a request tells of its client. */
export interface ClientReader {
  readonly address: (request: IncomingMessage) => string | undefined
  /** A trusted proxy sent it: what its headers say of the request counts. */
  readonly isTrusted: (request: IncomingMessage) => boolean
}

/** Reads clients as the identity service does, so that log, limits and device list agree. */
export function createClientReader(setting: string | undefined): ClientReader {
  const trusted = trustedProxies.parse(setting ?? 0)
  return {
    address({ socket, headers }) {
      const header = (name: string) => headers[name]?.toString()
      return clientAddress({ address: socket.remoteAddress, header }, trusted)
    },
    isTrusted: ({ socket }) => isProxy(socket.remoteAddress, trusted),
  }
}
