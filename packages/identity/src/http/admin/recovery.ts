import { z } from 'zod'
import { adminUrl } from '../../config/base-url.ts'
import { goDuration } from '../../config/values.ts'
import type { Context } from '../../contract/contract.ts'
import { badRequest, ProtocolError } from '../../errors/errors.ts'
import { checkReturnTo } from '../../flows/form/return-to.ts'
import { handOverCode, handOverLink, type OperatorRecovery } from '../../flows/recovery/operator.ts'
import { findIdentity } from '../../storage/identities/identities.ts'
import type { Http } from '../request.ts'
import { assertJson, readBody, uuid } from './body.ts'

const linkBody = z.object({
  identity_id: uuid.nullish(),
  expires_in: z
    .string()
    .nullish()
    .transform((text) => text || undefined),
})
const codeBody = linkBody.extend({ flow_type: z.enum(['browser', 'api']).nullish() })

/** Returns 404 if the method is disabled or the identity unknown. */
export async function createRecoveryCode(ctx: Context, c: Http): Promise<Response> {
  const { flow_type, ...body } = await readAllowed(ctx, c, 'code', codeBody)
  const recovery = await readWanted(ctx, c, body, ctx.config.selfservice.methods.code.config.lifespan)
  if (!recovery) throw new ProtocolError({ status: 404, reason: UNKNOWN_IDENTITY })
  return c.json(await handOverCode(ctx, { ...recovery, type: flow_type ?? 'browser' }, c.get('caller')), 201)
}

/** Returns 404 if the method is disabled, but 400 for an unknown identity. */
export async function createRecoveryLink(ctx: Context, c: Http): Promise<Response> {
  const body = await readAllowed(ctx, c, 'link', linkBody)
  const recovery = await readWanted(ctx, c, body, ctx.config.selfservice.methods.link.config.lifespan)
  if (!recovery) throw badRequest(UNKNOWN_IDENTITY)
  return c.json(await handOverLink(ctx, { ...recovery, type: 'browser' }, c.get('caller')))
}

const UNKNOWN_IDENTITY = 'This identity does not exist.'

async function readAllowed<T>(
  ctx: Context,
  c: Http,
  method: 'code' | 'link',
  shape: z.ZodType<T>,
): Promise<T> {
  if (!ctx.config.selfservice.methods[method].enabled)
    throw new ProtocolError({ status: 404, reason: 'This recovery method is disabled on this site.' })
  assertJson(c)
  checkReturnTo(ctx, c.req.query('return_to'))
  return await readBody(c, shape)
}

type Wanted = z.infer<typeof linkBody>

async function readWanted(
  ctx: Context,
  c: Http,
  { identity_id, expires_in }: Wanted,
  usual: number,
): Promise<Omit<OperatorRecovery, 'type'> | undefined> {
  const lifespan = Math.min(expires_in === undefined ? usual : readLifespan(expires_in), LONGEST_MS)
  const identity = identity_id ? await findIdentity(ctx.db, identity_id) : undefined
  if (identity) c.set('identity_id', identity.id)
  const { url } = c.get('caller')
  const request_url = adminUrl(ctx, url)
  return identity && { identity, lifespan, request_url }
}

const LONGEST_MS = 24 * 3_600_000

function readLifespan(text: string): number {
  const { data } = goDuration.safeParse(text)
  if (data !== undefined && data > 0) return data
  throw badRequest('expires_in must be a duration such as 30m or 1h.')
}
