import { adminUrl } from '../../config/base-url.ts'
import type { Context } from '../../contract/contract.ts'
import { retryMail } from '../../courier/queue.ts'
import { type CourierMessage, findCourierMessage, listCourierMessages } from '../../courier/read.ts'
import { NIL_ID } from '../../crypto/random.ts'
import { badRequest, ProtocolError } from '../../errors/errors.ts'
import { startVerification, unverifiedAddress } from '../../flows/ownership/verify-address.ts'
import { normaliseAddress } from '../../input/identifier.ts'
import type { Http } from '../request.ts'
import { malformed } from './body.ts'
import { keysetPage, openPosition, pageSize, sealPosition } from './pages.ts'
import { getIdentity, pathUuid } from './path.ts'

const STATUSES = ['queued', 'processing', 'sent', 'abandoned'] as const
const DEFAULT_SIZE = 10
const LARGEST_SIZE = 500
/** Kratos compatibility: the first page has a token too. */
const NEWEST = ['9999-12-31T00:00:00.000Z', NIL_ID] as const

export async function listMessages(ctx: Context, c: Http): Promise<Response> {
  const status = c.req.query('status')
  const knownStatus = STATUSES.find((one) => one === status)
  if (status !== undefined && !knownStatus) throw badRequest(`status must be one of ${STATUSES.join(', ')}.`)
  const recipient = c.req.query('recipient')
  const limit = pageSize(c.req.query('page_size'), DEFAULT_SIZE, LARGEST_SIZE, malformed)
  const after = openPosition(ctx, c.req.query('page_token'), malformed)
  const filter = {
    ...(knownStatus ? { status: knownStatus } : {}),
    ...(recipient ? { recipients: [normaliseAddress(recipient), recipient] } : {}),
  }
  const courierMessages = await listCourierMessages(ctx, filter, { limit: limit + 1, after })
  const next = ({ created_at, id }: CourierMessage) => sealPosition(ctx, created_at, id)
  return c.json(keysetPage(c, courierMessages, limit, { first: sealPosition(ctx, ...NEWEST), next }))
}

export async function showMessage(ctx: Context, c: Http): Promise<Response> {
  return c.json(await getMessage(ctx, c))
}

/** Returns 409 unless the message was abandoned and is still valid. */
export async function retryMessage(ctx: Context, c: Http): Promise<Response> {
  const { id, status } = await getMessage(ctx, c)
  if (!(await retryMail(ctx, id))) {
    const reason = status === 'abandoned' ? 'This message has expired.' : `This message is ${status}.`
    throw new ProtocolError({ status: 409, reason })
  }
  return c.json(await getMessage(ctx, c))
}

async function getMessage(ctx: Context, c: Http): Promise<CourierMessage> {
  const message = await findCourierMessage(ctx, pathUuid(c))
  if (!message) throw new ProtocolError({ status: 404, message: 'This message does not exist.' })
  return message
}

/** Writes to the first unverified address. Returns 409 if there is none. */
export async function sendVerification(ctx: Context, c: Http): Promise<Response> {
  if (!ctx.config.selfservice.flows.verification.enabled)
    throw new ProtocolError({ status: 404, reason: 'Verification is disabled on this site.' })
  const identity = await getIdentity(ctx, c)
  const address = unverifiedAddress(identity)
  if (!address) throw new ProtocolError({ status: 409, reason: 'Every address of this account is verified.' })
  const caller = c.get('caller')
  const flow = { type: 'browser', request_url: adminUrl(ctx, caller.url) } as const
  const { granted } = await startVerification(ctx, { flow, identity, caller, bound: 'operator' }, address)
  if (!granted)
    throw new ProtocolError({ status: 429, reason: 'Too many emails went to this address. Try again later.' })
  return c.json({ sent_to: address.value }, 202)
}
