import { isLoopback } from '../input/host.ts'

/** Removes the protocol's port and the brackets of IPv6. Undefined for loopback, which identifies no device. */
export function addressOf(text: string | undefined): string | undefined {
  const [, v4, v6] = /^(\d+(?:\.\d+){3})(?::\d+)?$|^\[([\da-f:.]+)\](?::\d+)?$/i.exec(text ?? '') ?? []
  const address = v4 ?? v6 ?? (text && /^[\da-f:]+$/i.test(text) ? text : undefined)
  return address === undefined || isLoopback(address) ? undefined : address
}
