import type { Http } from '../request.ts'
import { ownPath } from '../request.ts'

export interface Page {
  readonly size: number
  readonly offset: number
}

const DEFAULT_SIZE = 250
const LARGEST_SIZE = 1000

/**
 * Accepts `page_size` and `page_token`, or the older `per_page` and `page`. With `first` = 1, pages 0 and 1
 * are the same, because clients use either.
 */
export function readPage(query: URLSearchParams, first: 0 | 1 = 1): Page {
  if (query.has('page_size') || query.has('page_token')) {
    return { size: clamp(query.get('page_size')), offset: offsetOf(query.get('page_token')) }
  }
  return numberedPage(query, first)
}

export function numberedPage(query: URLSearchParams, first: 0 | 1, largest = LARGEST_SIZE): Page {
  const size = Math.min(clamp(query.get('per_page')), largest)
  const page = Number.parseInt(query.get('page') ?? '0', 10)
  return { size, offset: Number.isInteger(page) && page > first ? (page - first) * size : 0 }
}

function clamp(value: string | null): number {
  if (value === null || value === '') return DEFAULT_SIZE
  const size = Number.parseInt(value, 10)
  return Number.isInteger(size) ? Math.min(Math.max(size, 1), LARGEST_SIZE) : DEFAULT_SIZE
}

/** An unreadable token is the first page. */
function offsetOf(token: string | null): number {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token ?? '', 'base64url').toString())
    const offset =
      typeof parsed === 'object' && parsed !== null && 'offset' in parsed ? Number(parsed.offset) : 0
    return Number.isSafeInteger(offset) && offset > 0 ? offset : 0
  } catch {
    return 0
  }
}

function tokenOf(offset: number): string {
  return Buffer.from(JSON.stringify({ offset: String(offset), v: 2 })).toString('base64url')
}

/** Writes `X-Total-Count` and `Link` (RFC 8288), with this request's filters. */
export function writePageHeaders(c: Http, page: Page, total: number, address = byToken): void {
  const links = linksOf(page, total).map(([rel, target]) => {
    const query = new URL(c.req.url).searchParams
    for (const [name, value] of Object.entries(address(target))) query.set(name, value)
    query.sort()
    // The admin port serves identities with and without the prefix.
    return `<${ownPath(c).replace(/^\/identities/, '/admin/identities')}?${query}>; rel="${rel}"`
  })
  c.header('X-Total-Count', String(total))
  c.header('Link', links.join(','))
}

export function byNumber({ size, offset }: Page): Record<string, string> {
  return { page: String(Math.floor(offset / size)), per_page: String(size) }
}

function byToken(page: Page): Record<string, string> {
  return { ...byNumber(page), page_size: String(page.size), page_token: tokenOf(page.offset) }
}

/** A single page links to itself. Otherwise the current page is omitted. */
function linksOf(page: Page, total: number): [rel: string, Page][] {
  const { size } = page
  if (total <= size) return [['first', { size: Math.max(total, 1), offset: 0 }]]
  const last = (Math.ceil(total / size) - 1) * size
  const at = Math.min(page.offset, last)
  const links: [string, number][] = [
    ...(at > 0 ? [['first', 0] as [string, number]] : []),
    ...(at < last ? [['next', at + size] as [string, number]] : []),
    ...(at > 0 ? [['prev', at - size] as [string, number]] : []),
    ...(at < last ? [['last', last] as [string, number]] : []),
  ]
  return links.map(([rel, offset]) => [rel, { size, offset: Math.max(0, offset) }])
}
