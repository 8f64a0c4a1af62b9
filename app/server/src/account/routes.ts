import type { Identity } from '@my-app/identity'
import type { Context } from 'hono'
import { Hono } from 'hono'
import { z } from 'zod'
import { exportFile } from '../../../../app.config.ts'
import { ProductError } from '../http/errors.ts'
import type { IdentityGateway } from '../identity-gateway/identity-gateway.ts'
import type { LiveSession, SessionCheck } from '../session/session.ts'
import { assertOwnOrigin } from '../session/session.ts'
import { authenticatorName } from './authenticator-names.ts'
import { deviceName } from './device-name.ts'
import { listDevices } from './devices.ts'

/** Functions of the embedded identity service that no other service offers. */
export type OwnIdentity = Pick<Identity, 'account' | 'listEvents'>

interface AccountParts {
  readonly public_url: URL
  readonly identity: Pick<IdentityGateway, 'call'>
  readonly session: Pick<SessionCheck, 'assertLiveSession' | 'findLiveSession'>
  readonly ownIdentity: OwnIdentity | undefined
}

/** Account functions beyond the protocol, for signed-in users. */
export function accountRoutes({ public_url, identity, session, ownIdentity }: AccountParts): Hono {
  const app = new Hono()
  /** 401 without a session, for every path. 501 with another identity service. */
  const owned = async (c: Context): Promise<readonly [OwnIdentity, LiveSession]> => {
    if (c.req.method !== 'GET') assertOwnOrigin(c.req.raw.headers, public_url)
    const live = await session.assertLiveSession(c.req.raw.headers)
    if (!ownIdentity) throw notAvailable()
    return [ownIdentity, live]
  }
  app.use(async (c, next) => {
    await next()
    c.header('Cache-Control', 'no-store')
  })
  app.get('/session', async (c) => {
    const { recovering } = await session.findLiveSession(c.req.raw.headers)
    return c.json({ recovering })
  })
  app.get('/devices', async (c) => {
    const { headers } = c.req.raw
    const live = await session.assertLiveSession(headers)
    const activity = await ownIdentity?.account.sessionActivity(live.identity.id)
    return c.json(await listDevices(identity.call, headers, activity))
  })
  app.get('/credentials', async (c) => {
    const [own, live] = await owned(c)
    const { passkeys, ...rest } = await own.account.credentials(live.identity.id)
    return c.json({ ...rest, passkeys: passkeys.map(withKeeper) })
  })
  app.patch('/passkeys/:id', async (c) => {
    const [own, live] = await owned(c)
    const { name } = await readBody(c, z.strictObject({ name: passkeyName }))
    if (!(await own.account.renamePasskey(live.identity.id, c.req.param('id'), name)))
      throw new ProductError('not_found', 404, 'Your account has no such passkey')
    return c.json({ name })
  })
  app.get('/activity', async (c) => {
    const [own, live] = await owned(c)
    const before = c.req.query('before')
    const events = await own.listEvents(live.identity.id, { limit: ACTIVITY_PAGE, before })
    return c.json(
      events.map(({ identity_id: _, user_agent, ...event }) => ({
        ...event,
        device: deviceName(user_agent).name,
      })),
    )
  })
  app.get('/export', async (c) => {
    const [own, live] = await owned(c)
    const answer = await own.account.exportAll(live.id)
    assertPrivileged(answer)
    return c.json(answer.data, 200, { 'Content-Disposition': `attachment; filename="${exportFile}"` })
  })
  addDeletionRoutes(app, owned)
  return app
}

function addDeletionRoutes(
  app: Hono,
  owned: (c: Context) => Promise<readonly [OwnIdentity, LiveSession]>,
): void {
  app.get('/deletion', async (c) => {
    const [own, live] = await owned(c)
    return c.json({ due_at: (await own.account.deletionDue(live.identity.id)) ?? null })
  })
  app.post('/deletion', async (c) => {
    const [own, live] = await owned(c)
    const answer = await own.account.requestDeletion(live.id)
    assertPrivileged(answer)
    return c.json({ due_at: answer.due_at }, 202)
  })
  app.delete('/deletion', async (c) => {
    const [own, live] = await owned(c)
    await own.account.cancelDeletion(live.identity.id)
    return c.body(null, 204)
  })
}

/** Throws unless the session authenticated recently. */
function assertPrivileged<A extends { readonly kind: string }>(
  answer: A,
): asserts answer is Exclude<A, { readonly kind: 'confirm' | 'signed_out' }> {
  if (answer.kind === 'signed_out') throw new ProductError('unauthorized', 401, 'Please sign in')
  if (answer.kind === 'confirm')
    throw new ProductError('confirmation_required', 403, 'Please confirm who you are first')
}

const ACTIVITY_PAGE = 50

const passkeyName = z.string().trim().min(1).max(64)

function withKeeper<P extends { readonly aaguid: string }>({ aaguid, ...passkey }: P) {
  return { ...passkey, kept_by: authenticatorName(aaguid) }
}

async function readBody<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(await c.req.json().catch(() => undefined))
  if (parsed.success) return parsed.data
  throw new ProductError('bad_request', 400, 'The name must have 1 to 64 characters')
}

function notAvailable(): ProductError {
  return new ProductError('not_available', 501, 'This is not available with the identity service in use')
}
