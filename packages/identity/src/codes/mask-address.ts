/**
 * The address for display to unauthenticated users: the first two characters and the domain of an email address, the
 * ends of a phone number.
 */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  if (at >= 0) return at < 2 ? address : `${address.slice(0, 2)}****${address.slice(at)}`
  return address.length < 6 ? address : `${address.slice(0, 3)}****${address.slice(-2)}`
}
