import type { IncomingMessage } from 'node:http'
import { clientAddress, trustedProxies } from '@my-app/identity'

export type AddressOf = (request: IncomingMessage) => string | undefined

/** Reads client addresses as the identity service does, so that log, limits and device list agree. */
export function createAddressReader(setting: string | undefined): AddressOf {
  const trusted = trustedProxies.parse(setting ?? 0)
  return ({ socket, headers }) => {
    const header = (name: string) => headers[name]?.toString()
    return clientAddress({ address: socket.remoteAddress, header }, trusted)
  }
}
