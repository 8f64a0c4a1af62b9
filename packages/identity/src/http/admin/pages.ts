import { z } from 'zod'
import type { Context } from '../../contract/contract.ts'
import { badRequest } from '../../errors/errors.ts'
import { adminPath, barePath, type Http } from '../request.ts'

/** Returns `usual` if the parameter is absent or less than one. Throws 400. */
export function pageSize(
  value: string | undefined,
  usual: number,
  largest: number,
  refuse = badRequest,
): number {
  if (value === undefined || value === '') return usual
  const size = /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(size)) throw refuse('page_size must be a whole number.')
  return size < 1 ? usual : Math.min(size, largest)
}

const position = z.tuple([z.string(), z.string()])

interface Tokens<T> {
  readonly first: string
  next(last: T): string
}

/** Expects up to `size + 1` entries. Links the first and next pages (RFC 8288) with this request's filters. */
export function keysetPage<T>(c: Http, rows: readonly T[], size: number, tokens: Tokens<T>): readonly T[] {
  const page = rows.slice(0, size)
  const lastItem = page.at(-1)
  const link = (token: string, rel: string) => {
    const { searchParams } = new URL(c.req.url)
    if (barePath(c) === '/identities' && !searchParams.has('page_size')) searchParams.delete('per_page')
    searchParams.set('page_size', String(size))
    searchParams.set('page_token', token)
    searchParams.sort()
    return `<${adminPath(c)}?${searchParams}>; rel="${rel}"`
  }
  const links = [link(tokens.first, 'first')]
  if (rows.length > size && lastItem !== undefined) links.push(link(tokens.next(lastItem), 'next'))
  c.header('Link', links.join(','))
  return page
}

/** Encrypts the position, because clients can change it (SEC-55). */
export function sealPosition(ctx: Context, time: string, id: string): string {
  return ctx.secrets.encrypt('pagination', JSON.stringify([time, id]))
}

export function openPosition(
  ctx: Context,
  token: string | undefined,
  refuse = badRequest,
): readonly [string, string] | undefined {
  if (!token) return undefined
  const opened = position.safeParse(ctx.secrets.openJson('pagination', token))
  if (!opened.success) throw refuse('page_token is invalid.')
  return opened.data
}
