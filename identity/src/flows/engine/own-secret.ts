import type { Caller } from '../../caller.ts'

/**
 * The CSRF secret for a browser that has none: a new one would make the other open forms of a browser useless.
 * Another site can send a form without the browser's cookies; its answer must not replace them either.
 */
export function ownSecret({ csrf }: Caller): { readonly csrf?: string } {
  return csrf.sent || csrf.foreign_origin ? {} : { csrf: csrf.secret }
}

/**
 * The CSRF secret of a browser that opens a mailed link. A webmail makes it a request from another site, so a page may
 * set a cookie that is not there; what another site embeds may not: its request comes without the browser's cookies.
 */
export function secretOfVisitor(caller: Caller): { readonly csrf?: string } {
  const { csrf } = caller
  return csrf.foreign_origin && (csrf.sent || isEmbedded(caller)) ? {} : { csrf: csrf.secret }
}

/** Another site's page made the browser ask for this as a part of itself: a picture, a script, a frame. */
export function isEmbedded({ sent: { headers } }: Pick<Caller, 'sent'>): boolean {
  const isForeign = headers['Sec-Fetch-Site']?.includes('cross-site') ?? false
  const { 'Sec-Fetch-Dest': dest = [], 'Sec-Fetch-Mode': mode = [] } = headers
  return isForeign && (dest.some((one) => one !== 'document') || mode.some((one) => one !== 'navigate'))
}
