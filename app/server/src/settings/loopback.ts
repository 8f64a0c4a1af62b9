/** Whether a host name or an address is this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || /^\[?::1\]?$/.test(host) || /^(::ffff:)?127(\.\d+){3}$/.test(host)
}
