import type { IncomingHttpHeaders } from 'node:http'
import type { Context as HonoContext } from 'hono'
import type { Config } from '../config/config.ts'
import { originMatcher } from '../config/values.ts'
import type { Context } from '../contract/contract.ts'
import { newId } from '../crypto/random.ts'

/** Returns the preferred offer by quality, specificity and order (RFC 9110, 12.5.1), or the first offer. */
export function negotiate(accept: string | undefined, types: readonly [string, ...string[]]): string {
  const ranges = parseAccept(accept ?? '')
  let best: { readonly offer: string; readonly quality: number; readonly width: number } = {
    offer: types[0],
    quality: -1,
    width: 3,
  }
  for (const offer of types) {
    for (const { type, quality } of ranges) {
      const width = widthOf(type, offer)
      if (quality === 0 || width === undefined || quality < best.quality) continue
      if (quality > best.quality || width < best.width) best = { offer, quality, width }
    }
  }
  return best.offer
}

interface Range {
  readonly type: string
  readonly quality: number
}

/** Kratos compatibility: ends before a range with a parameter other than `q`, such as `charset`. */
function parseAccept(accept: string): readonly Range[] {
  const ranges: Range[] = []
  for (const part of accept.split(',')) {
    const [, type, quality, rest] = /^\s*([^\s;]+)\s*(?:;\s*q=([01](?:\.\d*)?))?\s*(.*)$/.exec(part) ?? []
    if (type === undefined || (quality === undefined && rest !== '')) break
    ranges.push({ type, quality: Number(quality ?? 1) })
    if (rest !== '') break
  }
  return ranges
}

/** 0 for an exact match, 1 for `type/*`, 2 for any type. */
function widthOf(range: string, offer: string): number | undefined {
  if (range === '*/*') return 2
  if (range.endsWith('/*')) return offer.startsWith(range.slice(0, -1)) ? 1 : undefined
  return range === offer ? 0 : undefined
}

interface Marks {
  readonly origin: string | undefined
  readonly site: string | undefined
}

/**
 * Whether the browser reports a cross-site request (SEC-34, SEC-35). Pages with `Referrer-Policy:
 * no-referrer` send `Origin: null`, as do sandboxed frames, so only Sec-Fetch-Site counts for them.
 */
export function isForeignOrigin({ once }: Pick<Context, 'once'>, { origin, site }: Marks): boolean {
  if (origin === undefined) return site === 'cross-site' || site === 'same-site'
  if (origin === 'null') return site === 'cross-site'
  return !once(ownOrigins)(origin)
}

function ownOrigins(config: Config): (origin: string) => boolean {
  const { flows } = config.selfservice
  const screens = [flows.login, flows.registration, flows.verification, flows.recovery, flows.settings]
  const base = config.serve.public.base_url
  const { cors } = config.serve.public
  return originMatcher([
    new URL(base).origin,
    ...screens.map(({ ui_url }) => new URL(ui_url, base).origin),
    ...(cors.enabled ? cors.allowed_origins : []),
  ])
}

/** Used by proxies, and harmless in logs, headers and pages. */
const USUAL = /^[\w.:=+/@-]{1,128}$/

/** The `X-Request-Id` of a trusted proxy, or a new id. */
export function requestIdOf(
  { 'x-request-id': requestId }: IncomingHttpHeaders,
  isTrusted: () => boolean,
): string {
  return typeof requestId === 'string' && USUAL.test(requestId) && isTrusted() ? requestId : newId()
}

/** With a small page for clients that do not follow redirects. */
export function redirect(c: HonoContext, url: string, status: 302 | 303 | 307): Response {
  c.header('Location', headerSafe(url))
  // The URL of a flow or emailed link must not leak.
  c.header('Referrer-Policy', 'no-referrer')
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return c.body(null, status)
  c.header('Content-Type', 'text/html; charset=utf-8')
  return c.body('<!doctype html><title>Redirect</title>', status)
}

/** As in Go, which writes escapes in lower case. */
function headerSafe(url: string): string {
  return url.replaceAll(/[^ -~]+/g, (text) => encodeURIComponent(text).toLowerCase())
}
