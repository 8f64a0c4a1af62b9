import type { Context } from '../contract.ts'
import { findCourierMessage, listCourierMessages } from '../courier/read.ts'
import { ProtocolError } from '../errors.ts'
import type { Http } from './request.ts'

const STATUSES = ['queued', 'processing', 'sent', 'abandoned'] as const
const DEFAULT_SIZE = 10
const LARGEST_SIZE = 500

/** The mails that went out or wait, newest first. Protocol 3, 7.6. */
export async function listMessages(ctx: Context, c: Http): Promise<Response> {
  const status = c.req.query('status')
  const known = STATUSES.find((one) => one === status)
  if (status && !known) throw badRequest(`status must be one of ${STATUSES.join(', ')}.`)
  const recipient = c.req.query('recipient')
  const limit = pageSize(c.req.query('page_size'))
  const after = openToken(ctx, c.req.query('page_token'))
  const filter = { ...(known ? { status: known } : {}), ...(recipient ? { recipient } : {}) }
  const messages = await listCourierMessages(ctx, filter, { limit, ...(after ? { after } : {}) })
  const last = messages.at(-1)
  const links = [link(c, limit, undefined, 'first')]
  if (last && messages.length === limit) links.push(link(c, limit, sealToken(ctx, last), 'next'))
  c.header('Link', links.join(','))
  return c.json(messages)
}

/** One mail with its attempts. */
export async function showMessage(ctx: Context, c: Http): Promise<Response> {
  const id = c.req.param('id') ?? ''
  if (!/^[0-9a-f-]{36}$/i.test(id)) throw badRequest('The id of a message is a UUID.')
  const message = await findCourierMessage(ctx, id)
  if (!message) throw new ProtocolError({ status: 404, reason: 'There is no such message.' })
  return c.json(message)
}

function pageSize(value: string | undefined): number {
  if (value === undefined || value === '') return DEFAULT_SIZE
  const size = Number(value)
  if (!Number.isInteger(size)) throw badRequest('page_size must be a whole number.')
  return Math.min(Math.max(size, 1), LARGEST_SIZE)
}

interface Position {
  readonly created_at: string
  readonly id: string
}

// Sealed and checked on its way back: a page token is data from outside (SEC-55).
function sealToken(ctx: Context, { created_at, id }: Position): string {
  return ctx.secrets.encrypt('pagination', JSON.stringify([created_at, id]))
}

function openToken(ctx: Context, token: string | undefined): Position | undefined {
  if (!token) return undefined
  try {
    const [created_at, id]: unknown[] = JSON.parse(ctx.secrets.decrypt('pagination', token))
    if (typeof created_at === 'string' && typeof id === 'string') return { created_at, id }
  } catch {
    // Falls through to the one answer for every token that is not ours.
  }
  throw badRequest('page_token is not one that this service gave out.')
}

function link(c: Http, size: number, token: string | undefined, rel: string): string {
  const query = new URLSearchParams({ page_size: String(size), ...(token ? { page_token: token } : {}) })
  return `<${new URL(c.req.url).pathname}?${query}>; rel="${rel}"`
}

function badRequest(reason: string): ProtocolError {
  return new ProtocolError({ status: 400, reason })
}
