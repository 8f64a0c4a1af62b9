import type { Caller } from '../../contract/caller.ts'

/**
 * The CSRF secret for a browser without one. Replacing an existing secret would invalidate the browser's other open
 * forms. A cross-site request comes without cookies; its response must not replace them either.
 */
export function csrfCookieIfMissing({ csrf }: Caller): { readonly csrf?: string } {
  return csrf.sent || csrf.foreign_origin ? {} : { csrf: csrf.secret }
}

/**
 * The CSRF secret for a browser that opens an emailed link. Webmail makes it a cross-site navigation, so a page may set
 * a missing cookie. An embedded request may not: it comes without the browser's cookies.
 */
export function csrfCookieForVisitor(caller: Caller): { readonly csrf?: string } {
  const { csrf } = caller
  return csrf.foreign_origin && (csrf.sent || isEmbedded(caller)) ? {} : { csrf: csrf.secret }
}

/** Whether another site's page embeds this request as an image, a script or a frame. */
export function isEmbedded({ raw: { headers } }: Pick<Caller, 'raw'>): boolean {
  const isForeign = headers['Sec-Fetch-Site']?.includes('cross-site') ?? false
  const { 'Sec-Fetch-Dest': dest = [], 'Sec-Fetch-Mode': mode = [] } = headers
  return isForeign && (dest.some((one) => one !== 'document') || mode.some((one) => one !== 'navigate'))
}
