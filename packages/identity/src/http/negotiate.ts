/**
 * The offer that an Accept header prefers: by quality, then by specificity of the media range, then by order. Without
 * the header the first offer. RFC 9110, 12.5.1.
 */
export function negotiate(accept: string | undefined, offers: readonly [string, ...string[]]): string {
  const ranges = (accept ?? '').split(',').flatMap(parseRange)
  let best: { readonly offer: string; readonly quality: number; readonly width: number } = {
    offer: offers[0],
    quality: -1,
    width: 3,
  }
  for (const offer of offers) {
    for (const { type, quality } of ranges) {
      const width = widthOf(type, offer)
      if (quality === 0 || width === undefined || quality < best.quality) continue
      if (quality > best.quality || width < best.width) best = { offer, quality, width }
    }
  }
  return best.offer
}

function parseRange(text: string): { type: string; quality: number }[] {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  if (!type.includes('/')) return []
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const number = quality === undefined ? 1 : Number(quality)
  return Number.isFinite(number) ? [{ type, quality: number }] : []
}

/** The width of a range that matches an offer: 0 exact, 1 a whole type, 2 anything. */
function widthOf(range: string, offer: string): number | undefined {
  if (range === '*/*') return 2
  if (range.endsWith('/*')) return offer.startsWith(range.slice(0, -1)) ? 1 : undefined
  return range === offer ? 0 : undefined
}
