import type { Operator } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { hashToken, newId } from '../../crypto/random.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { insertAdminCall, listAdminCalls } from '../../storage/events.ts'
import type { AdminCallsTable } from '../../storage/tables.ts'
import type { Http } from '../request.ts'
import { keysetPage, openPosition, pageSize, sealPosition } from './pages.ts'

export function findOperator({ config }: Context, c: Http): Operator | undefined {
  const { token, tokens } = config.serve.admin
  if (token === undefined && tokens.length === 0) return { role: 'full' }
  const [, bearer = ''] = /^bearer (\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  // Comparing hashes prevents a timing attack.
  const hash = hashToken(bearer)
  if (token !== undefined && hashToken(token) === hash) return { role: 'full' }
  return tokens.find((one) => hashToken(one.token) === hash)
}

// Emails contain codes that open accounts.
const EMAILS = ['GET /courier/messages', 'GET /courier/messages/:id']

/** Help for users that leaves their data unchanged. */
const SUPPORT: ReadonlySet<string> = new Set([
  ...EMAILS,
  'POST /courier/messages/:id/retry',
  'POST /identities/:id/verification',
  'DELETE /identities/:id/sessions',
  'DELETE /sessions/:id',
  'POST /recovery/code',
  'POST /recovery/link',
])

/** Throws 403. Hashes and tokens in `include_credential` are for `full` only. */
export function assertMayCall(c: Http, call: `${string} ${string}`): void {
  const role = c.get('caller').operator?.role
  const showsSecrets = EMAILS.includes(call) || c.req.query('include_credential') !== undefined
  const isRead = call.startsWith('GET ') && !showsSecrets
  if (role === 'full' || isRead || (role === 'support' && SUPPORT.has(call))) return
  throw new ProtocolError({ status: 403, reason: `The role ${role} of this token does not allow this call.` })
}

export async function storeCall(
  { db, now, request }: Context,
  c: Http,
  call: Pick<AdminCallsTable, 'method' | 'outcome' | 'identity_id'>,
): Promise<void> {
  const stored = {
    ...call,
    changes: c.get('changes') || null,
    id: newId(),
    created_at: now().toISOString(),
    operator: request?.operator?.name ?? null,
    client_address: request?.client_address ?? '',
    request_id: request?.request_id ?? '',
  }
  await insertAdminCall(db, [stored])
}

const DEFAULT_SIZE = 50
const LARGEST_SIZE = 500

export async function listCalls(ctx: Context, c: Http): Promise<Response> {
  const limit = pageSize(c.req.query('page_size'), DEFAULT_SIZE, LARGEST_SIZE)
  const before = openPosition(ctx, c.req.query('page_token'))
  const calls = await listAdminCalls(ctx.db, { limit: limit + 1, before })
  const next = ({ created_at, id }: AdminCallsTable) => sealPosition(ctx, created_at, id)
  return c.json(keysetPage(c, calls, limit, { first: '', next }))
}
