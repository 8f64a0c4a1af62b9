import type { Config } from '../../config/config.ts'
import type { Context } from '../../contract/contract.ts'
import { hashToken } from '../../crypto/random.ts'
import { ProtocolError } from '../../errors/errors.ts'
import type { Http } from '../request.ts'

interface Operator {
  readonly name?: string
  readonly role: Config['serve']['admin']['tokens'][number]['role']
}

/** Undefined without a valid token. */
export function findOperator({ config }: Context, c: Http): Operator | undefined {
  const { token, tokens } = config.serve.admin
  if (token === undefined && tokens.length === 0) return { role: 'full' }
  const [, shown = ''] = /^bearer (\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  // Comparing hashes prevents a timing attack.
  const hash = hashToken(shown)
  if (token !== undefined && hashToken(token) === hash) return { role: 'full' }
  return tokens.find((one) => hashToken(one.token) === hash)
}

/** What users ask for, without changing or deleting their data. */
const SUPPORT: ReadonlySet<string> = new Set([
  'POST /courier/messages/:id/retry',
  'POST /identities/:id/verification',
  'DELETE /identities/:id/sessions',
  'DELETE /sessions/:id',
  'POST /recovery/code',
  'POST /recovery/link',
])

/** Throws 403. Hashes and tokens in `include_credential` are for `full` only. */
export function assertMayCall(ctx: Context, c: Http, call: `${string} ${string}`): void {
  const role = findOperator(ctx, c)?.role
  const isRead = call.startsWith('GET ') && c.req.query('include_credential') === undefined
  if (role === 'full' || isRead || (role === 'support' && SUPPORT.has(call))) return
  throw new ProtocolError({ status: 403, reason: `The role ${role} of this token does not allow this call.` })
}
