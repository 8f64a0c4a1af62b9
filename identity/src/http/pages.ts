import type { Context } from '../contract.ts'
import { publicUrl } from '../flows/urls.ts'
import { ownPath } from './request.ts'
import type { Http } from './request.ts'

/** A part of a list, counted from its beginning. */
export interface Page {
  readonly size: number
  readonly offset: number
}

const DEFAULT_SIZE = 250
const LARGEST_SIZE = 1000

/** `page_size` and `page_token`, or the older `per_page` and `page`. Protocol 1, 6.7. */
export function readPage(query: URLSearchParams): Page {
  if (query.has('page_size') || query.has('page_token')) {
    return { size: clamp(query.get('page_size')), offset: offsetOf(query.get('page_token')) }
  }
  const size = clamp(query.get('per_page'))
  const page = Number.parseInt(query.get('page') ?? '0', 10)
  // Pages 0 and 1 both are the first: clients of either counting exist.
  return { size, offset: Number.isInteger(page) && page > 1 ? (page - 1) * size : 0 }
}

function clamp(value: string | null): number {
  if (value === null || value === '') return DEFAULT_SIZE
  const size = Number.parseInt(value, 10)
  return Number.isInteger(size) ? Math.min(Math.max(size, 1), LARGEST_SIZE) : DEFAULT_SIZE
}

/** A token that cannot be read means the first page. */
function offsetOf(token: string | null): number {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token ?? '', 'base64url').toString())
    const offset = typeof parsed === 'object' && parsed !== null && 'offset' in parsed ? Number(parsed.offset) : 0
    return Number.isSafeInteger(offset) && offset > 0 ? offset : 0
  } catch {
    return 0
  }
}

function tokenOf(offset: number): string {
  return Buffer.from(JSON.stringify({ offset: String(offset), v: 2 })).toString('base64url')
}

/** `X-Total-Count` and the `Link` header (RFC 8288). */
export function writePageHeaders(ctx: Context, c: Http, page: Page, total: number): void {
  const last = Math.max(0, Math.ceil(total / page.size) - 1) * page.size
  const link = (offset: number, rel: string) => `<${pageUrl(ctx, c, { ...page, offset })}>; rel="${rel}"`
  const links = [link(0, 'first')]
  if (page.offset + page.size < total) links.push(link(page.offset + page.size, 'next'))
  if (page.offset > 0) links.push(link(Math.max(0, page.offset - page.size), 'prev'))
  if (total > page.size) links.push(link(last, 'last'))
  c.header('X-Total-Count', String(total))
  c.header('Link', links.join(','))
}

function pageUrl(ctx: Context, c: Http, { size, offset }: Page): string {
  const query = new URLSearchParams({
    page: String(Math.floor(offset / size)),
    page_size: String(size),
    page_token: tokenOf(offset),
    per_page: String(size),
  })
  return publicUrl(ctx, `${ownPath(c)}?${query}`)
}
