import { z } from 'zod'
import { duration } from '../config/values.ts'
import type { Context } from '../contract.ts'
import { ProtocolError } from '../errors.ts'
import type { OperatorRecovery } from '../flows/operator-recovery.ts'
import { handOverCode, handOverLink } from '../flows/operator-recovery.ts'
import { checkReturnTo } from '../flows/return-to.ts'
import { findIdentity } from '../storage/identities.ts'
import type { Http } from './request.ts'

const body = z.object({
  identity_id: z.uuid().optional(),
  /** Go's spelling; longer than nothing. */
  expires_in: z
    .string()
    .optional()
    .transform((text) => text || undefined),
  flow_type: z.enum(['browser', 'api']).default('browser'),
})

/** A code that gets somebody back in. 201; 404 where codes are off or nobody is meant. Protocol 3, 7.5. */
export async function createRecoveryCode(ctx: Context, c: Http): Promise<Response> {
  const { code } = ctx.config.selfservice.methods
  if (!code.enabled) throw methodOff()
  const wanted = await readWanted(ctx, c, code.config.lifespan)
  if (!wanted) throw new ProtocolError({ status: 404, reason: NOBODY })
  return c.json(await handOverCode(ctx, wanted, c.get('caller')), 201)
}

/** The same as a link. 200; 404 where links are off; 400 where nobody is meant, as recorded. */
export async function createRecoveryLink(ctx: Context, c: Http): Promise<Response> {
  const { link } = ctx.config.selfservice.methods
  if (!link.enabled) throw methodOff()
  checkReturnTo(ctx, c.req.query('return_to'))
  const wanted = await readWanted(ctx, c, link.config.lifespan)
  if (!wanted) throw badRequest(NOBODY)
  return c.json(await handOverLink(ctx, { ...wanted, type: 'browser' }, c.get('caller')))
}

const NOBODY = 'There is no such identity.'

async function readWanted(ctx: Context, c: Http, usual: number): Promise<OperatorRecovery | undefined> {
  const raw: unknown = await c.req.json().catch(() => {
    throw badRequest('The body must be JSON.')
  })
  const parsed = body.safeParse(raw)
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw badRequest(issues.join('; '))
  }
  const { identity_id, expires_in, flow_type } = parsed.data
  const lifespan = expires_in === undefined ? usual : readLifespan(expires_in)
  const identity = identity_id === undefined ? undefined : await findIdentity(ctx.db, identity_id)
  const { url } = c.get('caller')
  const request_url = ctx.config.serve.admin.base_url.replace(/\/$/, '') + url
  return identity && { identity, type: flow_type, lifespan, request_url }
}

function readLifespan(text: string): number {
  const { data } = duration.safeParse(text)
  if (data !== undefined && data > 0) return data
  throw badRequest('expires_in must be a duration such as 30m or 1h.')
}

function methodOff(): ProtocolError {
  return new ProtocolError({ status: 404, reason: 'This way of recovery is switched off on this site.' })
}

function badRequest(reason: string): ProtocolError {
  return new ProtocolError({ status: 400, reason })
}
