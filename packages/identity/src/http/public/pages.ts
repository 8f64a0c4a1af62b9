import { adminPath, type Http, ownPath } from '../request.ts'

export interface Page {
  readonly size: number
  readonly offset: number
  /** In links. Kratos takes it as it was sent, although `page` may count from 1. */
  readonly number: number
}

const DEFAULT_SIZE = 250
const LARGEST_SIZE = 1000

/**
 * Accepts `page_size` and `page_token`, or the older `per_page` and `page`. With `first` = 1, pages 0 and 1
 * are the same, because clients use either.
 */
export function readPage(query: URLSearchParams, first: 0 | 1 = 1): Page {
  if (query.has('page_size') || query.has('page_token')) {
    const size = clamp(query.get('page_size'))
    const offset = offsetOf(query.get('page_token'))
    return { size, offset, number: Math.floor(offset / size) }
  }
  return numberedPage(query, first)
}

export function numberedPage(query: URLSearchParams, first: 0 | 1, largest = LARGEST_SIZE): Page {
  const size = Math.min(clamp(query.get('per_page')), largest)
  const page = Number.parseInt(query.get('page') ?? '0', 10)
  // Databases refuse larger offsets.
  const number = Number.isSafeInteger(page * size) && page > 0 ? page : 0
  return { size, offset: Math.max(number - first, 0) * size, number }
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
  const path = c.get('caller').operator ? adminPath(c) : ownPath(c)
  const links = linksOf(page, total).map(([rel, target]) => {
    const query = new URL(c.req.url).searchParams
    for (const [name, value] of Object.entries(address(target))) query.set(name, value)
    query.sort()
    return `<${path}?${query}>; rel="${rel}"`
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

/** As in Kratos, also for an empty list. */
function linksOf({ size, number: shown }: Page, total: number): [rel: string, Page][] {
  const at = shown * size
  const last = (Math.ceil(total / size) - 1) * size
  const first: [string, number] = ['first', 0]
  const next: [string, number] = ['next', at + size]
  const prev = (offset: number): [string, number] => ['prev', offset]
  const link = ([rel, offset]: [string, number]): [string, Page] => [rel, pageAt(offset, size)]
  if (total === 0) return [first, next, prev(at - size)].map(link)
  if (total <= size) return [['first', pageAt(0, total)]]
  if (at >= last) return [first, prev(last - size)].map(link)
  const towardsEnd: [string, number][] = [next, ...(at > 0 ? [prev(at - size)] : []), ['last', last]]
  return [...(at > 0 ? [first] : []), ...towardsEnd].map(link)
}

function pageAt(offset: number, size: number): Page {
  return { size, offset, number: offset / size }
}
