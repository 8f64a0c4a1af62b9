import { cookiePairs } from '@ostiary/identity/serving'

/** Rewrites a cookie for this host and all paths, because the product API reads the session too. */
export function toOurCookie(header: string, https: boolean): string {
  const [pair = '', ...attributes] = header.split(';').map((part) => part.trim())
  // Browsers require Secure for prefixed names (RFC 6265bis §4.1.3), even over http on loopback.
  const secure = https || /^__(host|secure)-/i.test(pair)
  const keptAttributes = attributes.flatMap((attribute) => keptAttribute(attribute, secure))
  return [pair, ...keptAttributes, 'Path=/', ...(secure ? ['Secure'] : [])].join('; ')
}

function keptAttribute(attribute: string, secure: boolean): string[] {
  switch (attribute.split('=', 1)[0]?.trim().toLowerCase()) {
    case 'domain':
    case 'path':
    case 'secure':
      return []
    case 'samesite':
      // None and Partitioned require Secure.
      return [!secure && /=\s*none$/i.test(attribute) ? 'SameSite=Lax' : attribute]
    case 'partitioned':
      return secure ? [attribute] : []
    default:
      return [attribute]
  }
}

/** Removes our cookies: the other service must not receive our token. */
export function withoutOwnCookies(header: string): string | undefined {
  const keptPairs = cookiePairs(header).filter((pair) => pair !== '' && !pair.startsWith('user_jwt='))
  return keptPairs.join('; ') || undefined
}
