import type { IncomingMessage } from 'node:http'
import { clientAddress, trustedProxies } from '@my-app/identity'

export type AddressOf = (request: IncomingMessage) => string | undefined

/** Reads addresses as the identity service does, so that the log, its limits and its list of devices name the same. */
export function createAddressReader(setting: string | undefined): AddressOf {
  const trusted = trustedProxies.parse(setting ?? 0)
  return ({ socket, headers }) => {
    const header = (name: string) => headers[name]?.toString()
    return clientAddress({ address: socket.remoteAddress, header }, trusted)
  }
}
